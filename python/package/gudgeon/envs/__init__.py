"""Gymnasium environments, registered under ``gudgeon/`` when this module is imported.

>>> import gymnasium, gudgeon.envs
>>> env = gymnasium.make("gudgeon/PinchAndLift-v0")
>>> many = gymnasium.make_vec("gudgeon/Humanoid-v0", num_envs=64, vectorization_mode="vector_entry_point")
"""

import gymnasium

from .env import Env, Humanoid, PegInHole, PinchAndLift, Quadruped
from .tasks import HumanoidTask, PegTask, PinchTask, QuadrupedTask, Task
from .vector import HumanoidVector, PegInHoleVector, PinchAndLiftVector, QuadrupedVector, VectorEnv

__all__ = [
    "Env",
    "Humanoid",
    "HumanoidTask",
    "HumanoidVector",
    "PegInHole",
    "PegInHoleVector",
    "PegTask",
    "PinchAndLift",
    "PinchAndLiftVector",
    "PinchTask",
    "Quadruped",
    "QuadrupedTask",
    "QuadrupedVector",
    "Task",
    "VectorEnv",
]

for _name, _steps in [("Humanoid", 1000), ("Quadruped", 500), ("PegInHole", 200), ("PinchAndLift", 200)]:
    gymnasium.register(
        id=f"gudgeon/{_name}-v0",
        entry_point=f"gudgeon.envs:{_name}",
        vector_entry_point=f"gudgeon.envs:{_name}Vector",
        max_episode_steps=_steps,
    )
del _name, _steps
