"""What differs from copy to copy and from episode to episode: numbers of the model, and pushes.

>>> env = QuadrupedVector(64, randomise={"friction": (0.4, 1.2), "mass": {"torso": (0.8, 1.3)}},
...                       pushes={"link": "torso", "force": 40.0, "every": 3.0, "lasting": 0.2})  # doctest: +SKIP

A value of `randomise` is a pair (least, greatest) of numbers or of arrays, drawn evenly, or a function of the copy's
generator; a dict of such is by name of link or actuator. The names are those of `gudgeon.rollout`'s parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], Any]


def _drawn(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, Mapping):
        return {name: _drawn(own, rng) for name, own in value.items()}
    if callable(value):
        return value(rng)
    least, most = value
    return rng.uniform(least, most)


class Chance:
    """Draws the parameters of copies."""

    def __init__(self, randomise: Mapping[str, Any] | None) -> None:
        self.ranges = dict(randomise or {})
        for name, value in self.ranges.items():
            for own in value.values() if isinstance(value, Mapping) else [value]:
                if not callable(own) and len(own) != 2:
                    raise ValueError(f"randomise of {name!r} is {own!r}, expected (least, greatest) or a function")

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """The numbers of one copy, as `Model.vary` takes them."""
        return {name: _drawn(value, rng) for name, value in self.ranges.items()}

    def rows(self, rngs: list[np.random.Generator]) -> dict[str, Any]:
        """The numbers of several copies, as `Batch.reset` takes them."""
        drawn = [self.draw(rng) for rng in rngs]

        def stack(values: list[Any]) -> Any:
            if isinstance(values[0], Mapping):
                return {name: stack([own[name] for own in values]) for name in values[0]}
            return np.array(values, dtype=float)

        return {name: stack([own[name] for own in drawn]) for name in self.ranges}


class Pushes:
    """Horizontal pushes on a link, at times and in directions of chance."""

    def __init__(self, copies: int, dt: float, *, link: str, force: float, every: float, lasting: float = 0.1) -> None:
        self.link, self.force = link, force
        self._chance = dt / every
        self._steps = max(1, round(lasting / dt))
        self._left = np.zeros(copies, dtype=np.int64)
        self._now = np.zeros((copies, 3))

    def restart(self, copies: list[int]) -> None:
        """These copies are pushed no more."""
        self._left[copies] = 0
        self._now[copies] = 0.0

    def step(self, rngs: list[np.random.Generator], idle: Sequence[bool] | NDArray[np.bool_] = (False,)) -> Floats:
        """The forces of the step to come, copies x 3, N; copies whose episode is over are idle and draw nothing."""
        self._left -= 1
        for copy, (rng, over) in enumerate(zip(rngs, idle, strict=True)):
            if over:
                continue
            begins = rng.random() < self._chance
            if self._left[copy] <= 0:
                self._now[copy] = 0.0
                if begins:
                    angle, size = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.0, self.force)
                    self._now[copy, :2] = size * np.cos(angle), size * np.sin(angle)
                    self._left[copy] = self._steps
        return self._now
