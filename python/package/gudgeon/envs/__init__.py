"""Gymnasium environments, registered under ``gudgeon/`` when this module is imported.

>>> import gymnasium, gudgeon.envs
>>> env = gymnasium.make("gudgeon/PinchAndLift-v0")
>>> many = gymnasium.make_vec("gudgeon/Humanoid-v0", num_envs=64, vectorization_mode="vector_entry_point")
"""

import gymnasium

from .env import Env, Humanoid, PegInHole, PinchAndLift, Quadruped
from .locomotion import Ant, GymHumanoid, HalfCheetah, Hopper, Locomotion, Walker2d
from .tasks import HumanoidTask, PegTask, PinchTask, QuadrupedTask, Task
from .vector import HumanoidVector, PegInHoleVector, PinchAndLiftVector, QuadrupedVector, VectorEnv

__all__ = [
    "Ant",
    "Env",
    "GymHumanoid",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "HumanoidTask",
    "HumanoidVector",
    "Locomotion",
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
    "Walker2d",
]

for _name, _steps in [("Humanoid", 1000), ("Quadruped", 500), ("PegInHole", 200), ("PinchAndLift", 200)]:
    gymnasium.register(
        id=f"gudgeon/{_name}-v0",
        entry_point=f"gudgeon.envs:{_name}",
        vector_entry_point=f"gudgeon.envs:{_name}Vector",
        max_episode_steps=_steps,
    )
for _name in ["Ant", "GymHumanoid", "HalfCheetah", "Hopper", "Walker2d"]:
    gymnasium.register(id=f"gudgeon/{_name}-v5", entry_point=f"gudgeon.envs:{_name}", max_episode_steps=1000)
del _name, _steps
