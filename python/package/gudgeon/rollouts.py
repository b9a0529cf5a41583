"""Many copies of a model, on all cores."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:  # NumPy is most of the cost of importing gudgeon: it is loaded by the first call that needs it
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Floats = NDArray[np.float64]

DIVERGED = 6
"""Status of a step that could not be done; 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget, 5 nothing to solve."""

FALLBACKS = ("none", "cold", "polygon", "robust", "frictionless", "best iterate")
"""What a step took when the solve before it failed, by number."""


@dataclass(frozen=True, repr=False)
class Rollout:
    """B copies over T steps. After a copy diverged its states are NaN and its status is `DIVERGED`."""

    states: _Floats
    """B x T x (nq + nv), after each step."""
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

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """B: which copies did not get to the end."""
        import numpy as np

        return np.asarray((self.status == DIVERGED).any(axis=1))

    def __repr__(self) -> str:
        import numpy as np

        copies, steps, width = self.states.shape
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


def rollout(
    model: _core.Model,
    x0: ArrayLike | None = None,
    u: ArrayLike | None = None,
    *,
    steps: int | None = None,
    drive: str = "joints",
    substeps: int = 1,
    threads: int = 0,
    parameters: Mapping[str, ArrayLike] | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Rollout:
    """Run B copies of `model` for T steps each.

    `x0` is B x (nq + nv), or nq + nv for all copies, or None for the model's start; `u` is B x T x n, or T x n for
    all copies, or None with `steps` given. With `drive="joints"` a control is nv joint forces, with "controllers" the
    nu values of the model's controllers. Each control is held for `substeps` steps of the model.

    `parameters` differ from copy to copy: "friction" (B, of every surface), "mass" (B or B x links, factors),
    "stiffness" and "damping" (B or B x controllers, factors on gains).

    The bits of a copy do not depend on `threads` (0: all cores) nor on the other copies.
    """
    import numpy as np

    nq, nv = model.nq, model.nv
    extra = {key: np.asarray(value, dtype=float) for key, value in (parameters or {}).items()}
    controls = None if u is None else np.asarray(u, dtype=float)
    start = np.concatenate([model.q0, model.v0]) if x0 is None else np.asarray(x0, dtype=float)
    if start.ndim not in (1, 2) or start.shape[-1] != nq + nv:
        raise ValueError(f"x0 has shape {start.shape}, expected (any, {nq + nv})")
    if controls is not None and controls.ndim not in (2, 3):
        raise ValueError(f"u has shape {controls.shape}, expected (copies, steps, n) or (steps, n)")

    sizes = [a.shape[0] for a in extra.values() if a.ndim > 0]
    if start.ndim == 2:
        sizes.append(start.shape[0])
    if controls is not None and controls.ndim == 3:
        sizes.append(controls.shape[0])
    copies = sizes[-1] if sizes else 1
    start = np.broadcast_to(start, (copies, nq + nv)) if start.ndim == 1 else start
    if controls is not None:
        if controls.ndim == 2:
            controls = np.broadcast_to(controls, (copies, *controls.shape))
        if steps is not None and steps != controls.shape[1]:
            raise ValueError(f"steps is {steps}, and u has {controls.shape[1]}")
        steps = controls.shape[1]
    elif steps is None:
        raise ValueError("give u or steps")
    told = _bar if progress is True else (progress or None)
    out = _core.rollout(
        model, start[:, :nq], start[:, nq:], controls, steps, drive, substeps, threads, extra or None, told
    )
    states = out.pop("x")
    return Rollout(states=states, q=states[..., :nq], v=states[..., nq:], **out)
