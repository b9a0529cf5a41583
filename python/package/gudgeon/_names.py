"""Controls by number and by name."""

from __future__ import annotations

from typing import Any

import numpy as np


class Control(np.ndarray):
    """Joint forces, nv, by number; the control of an actuator by its name in the file."""

    _sim: Any

    def __array_finalize__(self, source: Any) -> None:
        self._sim = getattr(source, "_sim", None)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._sim.actuator_control(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self._sim.set_actuator_control(key, float(value))
        else:
            super().__setitem__(key, value)


def control(array: np.ndarray, sim: Any) -> Control:
    """The array as a :class:`Control` of a simulation."""
    out = array.view(Control)
    out._sim = sim
    return out
