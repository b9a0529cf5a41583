"""Many copies of a model, on all cores."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:  # NumPy is most of the cost of importing gudgeon: it is loaded by the first call that needs it
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Floats = NDArray[np.float64]
    _Policy = Callable[[int, _Floats, _Floats, _Floats], ArrayLike]

DIVERGED = 6
"""Status of a step that could not be done; 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget, 5 nothing to solve."""

FALLBACKS = ("none", "cold", "convex", "robust", "frictionless", "best iterate")
"""What a step took when the solve before it failed, by number."""


@dataclass(frozen=True, repr=False)
class Rollout:
    """B copies over T steps. After a copy diverged its states are NaN and its status is `DIVERGED`."""

    states: _Floats
    """B x T x (nq + nv), after each step; B x 1 x (nq + nv), the last, where `returns` leaves them out."""
    q: _Floats
    """B x T x nq, a view of `states`."""
    v: _Floats
    """B x T x nv, a view of `states`."""
    contacts: NDArray[np.uint32]
    """B x T: contact points."""
    active: NDArray[np.uint32]
    """B x T: contact points with a force."""
    force: _Floats
    """B x T: sum of the normal forces, N."""
    penetration: _Floats
    """B x T: deepest overlap, m."""
    status: NDArray[np.uint8]
    """B x T: worst of the substeps; 0 solved, 5 nothing to solve, `DIVERGED`."""
    fallback: NDArray[np.uint8]
    """B x T: what was taken where the first solve failed, the last resort of the substeps, by `FALLBACKS`."""
    wrenches: _Floats | None = None
    """B x T x links x 6, if asked: what contacts do to every link, torque about its origin, then force; world axes."""
    sensors: _Floats | None = None
    """B x T x numbers, if asked: in the order of `model.sensors`."""
    joint_forces: _Floats | None = None
    """B x T x nv, if asked."""
    contact_list: NDArray[np.void] | None = None
    """If asked: all contacts of all copies and steps, one after another, with the fields of `Simulation.contacts`."""
    contact_first: NDArray[np.uint64] | None = None
    """B T + 1: where the contacts of each step of each copy begin."""

    def contacts_of(self, copy: int, step: int) -> NDArray[np.void]:
        """The contacts of one step of one copy; needs ``returns=("contacts", ...)``."""
        if self.contact_list is None or self.contact_first is None:
            raise ValueError("the rollout kept no contacts: ask with returns=('states', 'contacts')")
        copies, steps = self.status.shape
        at = range(copies)[copy] * steps + range(steps)[step]
        return self.contact_list[int(self.contact_first[at]) : int(self.contact_first[at + 1])]

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """B: which copies did not get to the end."""
        import numpy as np

        return np.asarray((self.status == DIVERGED).any(axis=1))

    def __repr__(self) -> str:
        import numpy as np

        copies, steps = self.status.shape
        width = self.states.shape[2]
        megabytes = self.states.nbytes / 1e6
        lines = [f"Rollout of {copies} copies over {steps} steps, {width} numbers of state ({megabytes:.3g} MB)"]
        if self.status.size:
            touching = f"contacts {self.contacts.mean():.3g} in the mean, {self.active.mean():.3g} of them with a force"
            lines.append(f"  {touching}; deepest overlap {self.penetration.max():.3g} m")
            taken = np.bincount(self.fallback.ravel(), minlength=len(FALLBACKS))
            rungs = ", ".join(f"{FALLBACKS[k]} {taken[k]}" for k in range(1, len(FALLBACKS)) if taken[k])
            lines.append(f"  {self.diverged.sum()} diverged; fallbacks: {rungs or 'none'}")
        return "\n".join(lines)


def _bar(done: int, total: int) -> None:
    filled = 30 * done // max(total, 1)
    end = "\n" if done == total else ""
    print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}", end=end, file=sys.stderr, flush=True)


def spread(parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Parameters as arrays of floats; those by name stay dictionaries."""
    import numpy as np

    def one(name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: one(f"{name}['{key}']", own) for key, own in value.items()}
        try:
            return np.asarray(value, dtype=float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"parameters['{name}'] is no array of numbers: rows of one length are wanted") from error

    return {key: one(key, value) for key, value in (parameters or {}).items()}


def arrays_of(parameters: Mapping[str, Any]) -> Iterator[_Floats]:
    """Every array of parameters."""
    for value in parameters.values():
        if isinstance(value, dict):
            yield from arrays_of(value)
        else:
            yield value


def each(parameters: Mapping[str, Any], change: Callable[[_Floats], _Floats]) -> dict[str, Any]:
    """The same parameters with every array changed."""
    return {
        key: each(value, change) if isinstance(value, dict) else change(value) for key, value in parameters.items()
    }


def _closed_loop(
    batch: _core.Batch, policy: _Policy, steps: int, drive: str, substeps: int, returns: tuple[str, ...]
) -> Rollout:
    import numpy as np

    unknown = [name for name in returns if name not in ("states", "wrenches", "sensors")]
    if unknown:
        raise ValueError(f"returns has '{unknown[0]}': with a policy states, wrenches and sensors can be kept")
    copies, nq = len(batch), batch.model.nq
    kept: dict[str, list[Any]] = {name: [] for name in ("x", "sums", "status", *returns)}
    for t in range(steps):
        batch.step(policy(t, batch.q, batch.v, batch.touch), substeps, drive)
        lost = batch.status == DIVERGED
        x = np.concatenate([batch.q, batch.v], axis=1)
        x[lost] = np.nan
        if "states" not in returns:
            kept["x"].clear()
        kept["x"].append(x)
        kept["sums"].append(batch.sums)
        kept["status"].append(batch.status)
        for name in set(returns) - {"states"}:
            kept[name].append(getattr(batch, name))
    states = np.stack(kept["x"], axis=1) if kept["x"] else np.zeros((copies, 0, nq + batch.model.nv))
    sums = np.stack(kept["sums"], axis=1) if steps else np.zeros((copies, 0, 5))
    contacts, active, force, depth, fallback = np.moveaxis(sums, 2, 0)
    return Rollout(
        states=states, q=states[..., :nq], v=states[..., nq:],
        contacts=contacts.astype(np.uint32), active=active.astype(np.uint32), force=force, penetration=depth,
        status=np.stack(kept["status"], axis=1) if steps else np.zeros((copies, 0), np.uint8),
        fallback=fallback.astype(np.uint8),
        **{name: np.stack(kept[name], axis=1) for name in returns if name != "states" and steps},
    )  # fmt: skip


def rollout(
    model: _core.Model,
    x0: ArrayLike | bytes | Sequence[bytes] | None = None,
    u: ArrayLike | None = None,
    *,
    steps: int | None = None,
    drive: str = "joints",
    substeps: int = 1,
    threads: int = 0,
    parameters: Mapping[str, Any] | None = None,
    returns: Sequence[str] = ("states",),
    progress: bool | Callable[[int, int], object] = False,
    policy: _Policy | None = None,
) -> Rollout:
    """Run B copies of `model` for T steps each.

    `x0` is B x (nq + nv), or nq + nv for all copies, or None for the model's start, or a snapshot (`Simulation.snapshot`),
    or one for every copy: with contacts, controls and forces as they were. `u` is B x T x n, or T x n for all copies, or
    None with `steps` given. With `drive="joints"` a control is nv joint forces, with "controllers" the nu values of the
    model's controllers. Each control is held for `substeps` steps of the model.

    `parameters` differ from copy to copy. A value is one number for every copy (B) or a row for every copy, or a dict of
    such by name of link or actuator; what is not named stays the model's:

    - by link (B or B x links): "friction", "restitution"; factors "mass" (and inertia), "inertia", "size" (shapes and
      where they are on their link, centre of mass, inertia by the square; joints stay); "com" (B x links x 3, m, added)
    - by degree of freedom (B or B x nv): "armature", "joint_damping", "joint_friction"
    - by controller (B or B x controllers), factors: "stiffness", "damping", "effort"
    - of the whole: "gravity" (B x 3), "dt" (B)

    `returns` chooses what is kept of every step besides sums: "states" (else the last state alone), "wrenches" (by link),
    "contacts" (each of them, see `Rollout.contacts_of`), "sensors", "joint_forces".

    In place of `u` a `policy` closes the loop: ``policy(t, q, v, touch)`` is given the number of the step and rows for
    all copies (positions, velocities, the sum of contact forces on every link) and returns their controls.

    The bits of a copy do not depend on `threads` (0: all cores) nor on the other copies (of a policy: if its own do not).
    """
    import numpy as np

    nq, nv = model.nq, model.nv
    extra = spread(parameters)
    controls = None if u is None else np.asarray(u, dtype=float)
    snapshots: list[bytes] | None = None
    if isinstance(x0, bytes):
        snapshots = [x0]
    elif isinstance(x0, list | tuple) and x0 and isinstance(x0[0], bytes):
        snapshots = [bytes(one) for one in x0]
    start = np.concatenate([model.q0, model.v0])
    if x0 is not None and snapshots is None:
        start = np.asarray(x0, dtype=float)
    if start.ndim not in (1, 2) or start.shape[-1] != nq + nv:
        raise ValueError(f"x0 has shape {start.shape}, expected (any, {nq + nv})")
    if controls is not None and controls.ndim not in (2, 3):
        raise ValueError(f"u has shape {controls.shape}, expected (copies, steps, n) or (steps, n)")

    sizes = [a.shape[0] for a in arrays_of(extra) if a.ndim > 0]
    if start.ndim == 2:
        sizes.append(start.shape[0])
    if snapshots is not None and len(snapshots) > 1:
        sizes.append(len(snapshots))
    if controls is not None and controls.ndim == 3:
        sizes.append(controls.shape[0])
    copies = sizes[-1] if sizes else 1
    extra = each(extra, lambda a: np.broadcast_to(a, (copies,)) if a.ndim == 0 else a)
    start = np.broadcast_to(start, (copies, nq + nv)) if start.ndim == 1 else start
    if snapshots is not None and len(snapshots) == 1:
        snapshots = snapshots * copies
    if controls is not None:
        if controls.ndim == 2:
            controls = np.broadcast_to(controls, (copies, *controls.shape))
        if steps is not None and steps != controls.shape[1]:
            raise ValueError(f"steps is {steps}, and u has {controls.shape[1]}")
        steps = controls.shape[1]
    elif steps is None:
        raise ValueError("give u or steps")
    if policy is not None:
        if controls is not None:
            raise ValueError("give u or a policy, not both")
        batch = _core.Batch(model, copies, threads, extra or None)
        if snapshots is not None:
            batch.restore(range(copies), snapshots)
        else:
            batch.reset(range(copies), start[:, :nq], start[:, nq:])
        return _closed_loop(batch, policy, steps, drive, substeps, tuple(returns))
    told = _bar if progress is True else (progress or None)
    out = _core.rollout(
        model, start[:, :nq], start[:, nq:], controls, steps, drive, substeps, threads, extra or None, told,
        list(returns), snapshots,
    )  # fmt: skip
    states = out.pop("x")
    return Rollout(states=states, q=states[..., :nq], v=states[..., nq:], **out)
