"""Complementarity problems: arrays in, certified answers out."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core

if TYPE_CHECKING:  # as in rollouts.py: NumPy comes with the first call
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Floats = NDArray[np.float64]


class Residual(NamedTuple):
    """How far an answer is from a solution, measured on the data as given."""

    natural: float
    """max |min(z, w)| in scaled units; solved means at most 1e-9."""
    fischer_burmeister: float
    """Sum over the rows, raw units."""
    energy: float
    """Sum over the rows, J."""


@dataclass(frozen=True)
class Trace:
    """What a solver did. Variables: z_i is i + 1, w_i is -(i + 1), the artificial one is 0."""

    entering: NDArray[np.int64]
    leaving: NDArray[np.int64]
    q_min: _Floats
    error: _Floats
    natural: _Floats
    fischer_burmeister: _Floats
    energy: _Floats


def _short(value: Any) -> str:
    """An array by its first numbers and its shape; anything else as it is."""
    import numpy as np

    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size <= 6:
        return np.array2string(value, precision=4, separator=", ")
    first = ", ".join(f"{v:.4g}" for v in value.ravel()[:3])
    return f"[{first}, ... shape {value.shape}]"


@dataclass(frozen=True, repr=False)
class _Solution:
    status: str
    """solved, ray, cycle, inaccurate or budget."""
    pivots: int
    nodes: int
    seconds: float
    residual: Residual
    trace: Trace | None

    @property
    def solved(self) -> bool:
        """Whether the answer is certified."""
        return self.status == "solved"

    def __repr__(self) -> str:
        shown = [f.name for f in fields(self) if f.repr and f.name not in ("status", "nodes", "seconds", "trace")]
        values = ", ".join(f"{name}={_short(getattr(self, name))}" for name in shown if name != "residual")
        return f"{type(self).__name__}({self.status}, natural={self.residual.natural:.1e}, {values})"


@dataclass(frozen=True, repr=False)
class LcpSolution(_Solution):
    """Answer of `solve_lcp`."""

    z: _Floats
    w: _Floats


@dataclass(frozen=True, repr=False)
class MlcpSolution(_Solution):
    """Answer of `solve_mlcp`."""

    x: _Floats
    w: _Floats


@dataclass(frozen=True, repr=False)
class FrictionSolution(_Solution):
    """Answer of `solve_friction`: rows are contacts, columns (n, t1, t2)."""

    impulse: _Floats
    velocity: _Floats
    mode: list[str]
    """By contact: open, stick or slip."""
    memory: list[list[int]] = field(repr=False)
    """What each contact did, for the next solve's `start`."""


def _common(answer: dict[str, Any]) -> dict[str, Any]:
    answer["residual"] = Residual(*answer["residual"])
    trace = answer.get("trace")
    answer["trace"] = None if trace is None else Trace(**trace)
    return answer


def solve_lcp(
    M: ArrayLike,
    q: ArrayLike,
    *,
    method: str = "robust",
    budget: int | None = None,
    seconds: float | None = None,
    start: ArrayLike | None = None,
    trace: bool = False,
) -> LcpSolution:
    """Find z, w with w = M z + q, 0 <= w, 0 <= z, w'z = 0.

    `budget` bounds the pivots (sweeps of "pgs") and `seconds` the time; out of them, the best iterate comes back with
    status "budget". `start` is a guess of z. `gudgeon.methods()` lists the methods.
    """
    return LcpSolution(**_common(_core.solve_lcp(M, q, method, budget, seconds, start, trace)))


def solve_mlcp(
    A: ArrayLike,
    b: ArrayLike,
    lo: ArrayLike | None = None,
    hi: ArrayLike | None = None,
    *,
    findex: Sequence[int] | None = None,
    method: str = "robust",
    budget: int | None = None,
    seconds: float | None = None,
    trace: bool = False,
) -> MlcpSolution:
    """Find x, w with w = A x + b and lo <= x <= hi: w >= 0 at lo, w <= 0 at hi, w = 0 between.

    Bounds may be infinite, one number for all rows, or None for no bound. Where `findex[i]` is not -1, the bounds of row i are times x[findex[i]]: box friction.
    """
    import numpy as np

    b = np.asarray(b)
    lo = np.broadcast_to(np.asarray(-np.inf if lo is None else lo, dtype=float), b.shape)
    hi = np.broadcast_to(np.asarray(np.inf if hi is None else hi, dtype=float), b.shape)
    links = None if findex is None else [int(k) for k in findex]
    return MlcpSolution(**_common(_core.solve_mlcp(A, b, lo, hi, links, method, budget, seconds, trace)))


def solve_friction(
    W: ArrayLike | None = None,
    q: ArrayLike | None = None,
    mu: ArrayLike | None = None,
    *,
    mass: ArrayLike | None = None,
    J: ArrayLike | None = None,
    free_velocity: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    facets: int | str = "exact",
    method: str = "robust",
    budget: int | None = None,
    seconds: float | None = None,
    ids: Sequence[int] | None = None,
    start: FrictionSolution | None = None,
    canonical: bool = False,
    trace: bool = False,
) -> FrictionSolution:
    """Find the impulses of n contacts with Coulomb friction.

    Either u = W r + q, with W 3n x 3n in blocks (n, t1, t2); or mass, J (3n x dofs) and free_velocity, with
    u = J (free_velocity + mass^-1 J' r) + bias. `mu` has n coefficients, or is one for all. The cone is round ("round" or "exact", method
    "robust" only) or has `facets` sides; other methods take 8 where nothing is said.

    `start` is an earlier answer: contacts are recognised by `ids` (their index where none are given). `canonical`
    replaces the impulses by the most evenly spread ones of the same motion.
    """
    import numpy as np

    if mu is None:
        raise ValueError("mu is missing")
    form = {"W": W, "q": q, "mass": mass, "J": J, "free_velocity": free_velocity, "bias": bias}
    given = {key: value for key, value in form.items() if value is not None}
    if ("W" in given) == ("mass" in given):
        raise ValueError("give either W and q, or mass, J and free_velocity")
    if isinstance(facets, str):
        if facets not in ("round", "exact"):
            raise ValueError(f"facets is '{facets}', expected an even number of at least 4, or 'round'")
        sides = None if method == "robust" else 8
    else:
        sides = int(facets)
    if np.ndim(mu) == 0:
        rows = np.shape(given["q"] if "W" in given and "q" in given else given.get("J", ()))
        mu = np.full(rows[0] // 3 if rows else 0, mu)
    names = None if ids is None else [int(k) for k in ids]
    memory = None if start is None else start.memory
    answer = _core.solve_friction(given, mu, sides, method, budget, seconds, names, memory, canonical, trace)
    answer["memory"] = answer.pop("warm")
    return FrictionSolution(**_common(answer))
