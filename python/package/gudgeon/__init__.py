"""Articulated rigid bodies in hard frictional contact.

>>> import gudgeon
>>> sim = gudgeon.Simulation(gudgeon.Model.builtin("stack", boxes=3))
>>> sim.step(100)
>>> sim.contacts["force"].shape[1]
3

Units are SI, the world is right-handed with z up, quaternions are w x y z, spatial vectors have the angular part
first. ``q`` and ``v`` differ in length where there are quaternions.
"""

from . import grad
from ._core import (
    Batch,
    GradientError,
    InternalError,
    Linearization,
    Model,
    ModelError,
    ProblemError,
    Simulation,
    SnapshotError,
    StepError,
    methods,
    scenes,
)
from ._live import Page, live
from ._replay import Replay
from .rollouts import DIVERGED, FALLBACKS, Rollout, rollout
from .solvers import (
    FrictionSolution,
    LcpSolution,
    MlcpSolution,
    Residual,
    Trace,
    solve_friction,
    solve_lcp,
    solve_mlcp,
)

__version__ = "0.1.0"

__all__ = [
    "DIVERGED",
    "FALLBACKS",
    "Batch",
    "FrictionSolution",
    "GradientError",
    "InternalError",
    "LcpSolution",
    "Linearization",
    "MlcpSolution",
    "Model",
    "ModelError",
    "Page",
    "ProblemError",
    "Replay",
    "Residual",
    "Rollout",
    "Simulation",
    "SnapshotError",
    "StepError",
    "Trace",
    "grad",
    "live",
    "methods",
    "rollout",
    "scenes",
    "solve_friction",
    "solve_lcp",
    "solve_mlcp",
]
