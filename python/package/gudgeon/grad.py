"""Derivatives of rollouts, exact within the modes of contact.

>>> import numpy as np, gudgeon
>>> from gudgeon import grad
>>> model = gudgeon.Model.builtin("slope", limit=1.2)
>>> sim = gudgeon.Simulation(model)
>>> run = grad.rollout(model, sim.q, sim.v, steps=20)
>>> worth = np.zeros_like(run.v)
>>> worth[-1, 3] = 1.0  # what is the last velocity downhill worth ...
>>> back = run.vjp(None, worth)
>>> back.friction < 0.0  # ... in friction
True

A step is differentiated as it was taken, on the modes (stick, slip, open) that its solve certified: no contact is made
soft. Where modes change, the derivative jumps; `Gradient.kinks` lists the steps that stand at such a place. For those who
optimise across kinks there are two kinds of smoothing, by name and never unasked: `Randomised` and `Relaxed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Floats = NDArray[np.float64]

__all__ = ["Gradient", "Randomised", "Relaxed", "Run", "jvp", "rollout", "vjp"]


@dataclass(frozen=True)
class Randomised:
    """Gradients averaged over noise: those of the mean result, not of the result."""

    sigma: float
    """Standard deviation of what is added to the first velocities, m/s and rad/s."""
    samples: int = 16
    """Rollouts per rollout."""
    seed: int = 0
    """Of the noise; the same seed, the same numbers."""

    @property
    def name(self) -> str:
        """What a report says."""
        return f"randomised, sigma {self.sigma:g}, {self.samples} samples"


@dataclass(frozen=True)
class Relaxed:
    """Gradients of another law: contacts are springs and dampers, without restitution."""

    stiffness: float
    """N/m per contact point."""
    damping: float = 0.0
    """N s/m per contact point."""

    @property
    def name(self) -> str:
        """What a report says."""
        return f"relaxed, {self.stiffness:g} N/m, {self.damping:g} N s/m"


@dataclass(frozen=True)
class Gradient:
    """What a result is worth per unit of everything a rollout began with."""

    q: _Floats
    """Of the first position; along the manifold where there are quaternions."""
    v: _Floats
    """Of the first velocity."""
    controls: _Floats
    """Of the joint forces of every step."""
    inputs: _Floats
    """Of what controllers are told in every step: controls of actuators, forces, velocities and targets of motors."""
    parameters: Mapping[str, float]
    """Of every parameter of the scene by name, summed over copies."""
    kinks: list[list[int]] = field(default_factory=list)
    """By copy: steps whose derivative is one-sided."""
    smoothing: str = "none"
    """What was done to the derivative."""

    def _sum(self, ending: str) -> float:
        return sum(x for name, x in self.parameters.items() if name.endswith(ending) and not name.startswith("joint"))

    @property
    def friction(self) -> float:
        """Of the friction of all surfaces together."""
        return self._sum(".friction")

    @property
    def restitution(self) -> float:
        """Of the restitution of all surfaces together."""
        return self._sum(".restitution")


@dataclass
class Run:
    """A rollout that was done; `vjp` goes back through it, in memory for the square root of its steps."""

    q: _Floats
    """(B x) (T + 1) x nq."""
    v: _Floats
    """(B x) (T + 1) x nv."""
    _runs: _core.Runs
    _smoothing: Randomised | Relaxed | None = None
    _again: list[_core.Runs] = field(default_factory=list)
    _asked: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})

    def __reduce__(self) -> tuple[Any, ...]:
        # done again where it is unpickled: the same numbers, and less to send
        return _rolled, self._asked

    def vjp(self, on_q: ArrayLike | None, on_v: ArrayLike | None) -> Gradient:
        """The gradient of a result that is worth `on_q` and `on_v` per unit of the states (shapes of `q` and `v`)."""
        import numpy as np

        one = self.q.ndim == 2
        wq = np.zeros_like(self.q) if on_q is None else np.asarray(on_q, dtype=np.float64)
        wv = np.zeros_like(self.v) if on_v is None else np.asarray(on_v, dtype=np.float64)
        if one:
            wq, wv = wq[None], wv[None]
        runs = self._again or [self._runs]
        found = [r.vjp(wq, wv) for r in runs]
        mean = {key: np.mean([f[key] for f in found], axis=0) for key in ("q", "v", "controls", "inputs", "parameters")}
        total = mean["parameters"].sum(axis=0).tolist()
        q, v, controls, inputs = (mean[key][0] if one else mean[key] for key in ("q", "v", "controls", "inputs"))
        kinks = [sorted({step for f in found for step in f["kinks"][k]}) for k in range(len(found[0]["kinks"]))]
        smoothing = self._smoothing.name if self._smoothing else "none"
        return Gradient(q, v, controls, inputs, dict(zip(runs[0].parameters, total, strict=True)), kinks, smoothing)

    def jvp(
        self, dq: ArrayLike, dv: ArrayLike, dcontrols: ArrayLike | None = None, dinputs: ArrayLike | None = None
    ) -> tuple[_Floats, _Floats]:
        """Changes of all positions (tangent) and velocities for those of the first (tangent), of controls and of inputs."""
        import numpy as np

        if self.q.ndim > 2:
            return self._runs.jvp(dq, dv, dcontrols, dinputs)
        du, di = (None if x is None else np.asarray(x)[None] for x in (dcontrols, dinputs))
        out_q, out_v = self._runs.jvp(np.asarray(dq)[None], np.asarray(dv)[None], du, di)
        return out_q[0], out_v[0]


def rollout(
    model: _core.Model,
    q: ArrayLike,
    v: ArrayLike,
    controls: ArrayLike | None = None,
    *,
    inputs: ArrayLike | None = None,
    steps: int | None = None,
    friction: float | None = None,
    restitution: float | None = None,
    threads: int = 0,
    smoothing: Randomised | Relaxed | None = None,
) -> Run:
    """Run from `q`, `v` (or B rows of them) under joint forces `controls` ((B x) T x nv), or for `steps` without.

    `inputs` ((B x) T x controllers) are told to the controllers of the scene: controls of actuators, forces and
    velocities of motors; those that follow a motion take none. `friction` and `restitution` replace those of all surfaces. The GIL is released; B copies run on `threads` threads
    (0: all), with the same numbers on any number of them.
    """
    import numpy as np

    q, v = np.array(q, dtype=np.float64), np.array(v, dtype=np.float64)
    one = q.ndim == 1
    u, told = (None if x is None else np.array(x, dtype=np.float64) for x in (controls, inputs))
    asked = (model, q, v, u)
    settings = {
        "inputs": told,
        "steps": steps,
        "friction": friction,
        "restitution": restitution,
        "threads": threads,
        "smoothing": smoothing,
    }
    if one:
        q, v = q[None], v[None]
        u, told = (None if x is None else x[None] for x in (u, told))
    if steps is None:
        rows = told if u is None else u
        if rows is None:
            raise ValueError("steps is needed where there are neither controls nor inputs")
        steps = int(rows.shape[1])
    soft = (smoothing.stiffness, smoothing.damping) if isinstance(smoothing, Relaxed) else None

    def run(velocity: _Floats) -> _core.Runs:
        return _core.Runs(model, q, velocity, u, told, steps, friction, restitution, soft, threads)

    done = run(v)
    again = []
    if isinstance(smoothing, Randomised):
        rng = np.random.default_rng(smoothing.seed)
        again = [run(v + smoothing.sigma * rng.standard_normal(v.shape)) for _ in range(smoothing.samples)]
    all_q, all_v = done.q, done.v
    if one:
        all_q, all_v = all_q[0], all_v[0]
    return Run(all_q, all_v, done, smoothing, again, (asked, settings))


def _rolled(asked: tuple[Any, ...], settings: dict[str, Any]) -> Run:
    return rollout(*asked, **settings)


def _linearized(model: _core.Model, snapshot: bytes) -> _core.Linearization:
    sim = _core.Simulation(model)
    sim.restore(snapshot)
    return sim.linearize()


def vjp(
    model: _core.Model,
    q: ArrayLike,
    v: ArrayLike,
    controls: ArrayLike,
    on_q: ArrayLike | None,
    on_v: ArrayLike | None,
) -> Gradient:
    """`rollout` and `Run.vjp` in one."""
    return rollout(model, q, v, controls).vjp(on_q, on_v)


def jvp(
    model: _core.Model,
    q: ArrayLike,
    v: ArrayLike,
    controls: ArrayLike,
    dq: ArrayLike,
    dv: ArrayLike,
    dcontrols: ArrayLike | None = None,
) -> tuple[_Floats, _Floats]:
    """`rollout` and `Run.jvp` in one."""
    return rollout(model, q, v, controls).jvp(dq, dv, dcontrols)
