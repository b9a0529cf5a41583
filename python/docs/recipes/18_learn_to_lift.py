"""Proximal policy optimisation in NumPy (`ppo.py` beside this): a gripper learns to lift a block.

Small on purpose (a minute on one core); `python 18_learn_to_lift.py 100 curve.svg` goes on for longer and draws the curve. With
stable-baselines3 the same task is `PPO("MlpPolicy", StableVecEnv(PinchAndLiftVector(32, max_episode_steps=100)))`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import ppo

from gudgeon.envs import PinchAndLiftVector

long = len(sys.argv) > 1 and sys.argv[1].isdigit()
_, curve = ppo.train(
    PinchAndLiftVector(32, max_episode_steps=100),
    int(sys.argv[1]) if long else 24,
    measure=lambda info: info["is_success"],
    report=lambda n, reward, held: print(f"round {n}: reward a step {reward:.3f}, held {100 * held:.0f} % of the time", flush=True),
)
if long and len(sys.argv) > 2:
    ppo.picture(curve, sys.argv[2], "part of the time that the block is held")
first, last = np.mean([r for r, _ in curve[:4]]), np.mean([r for r, _ in curve[-4:]])
assert last > first + 0.3, (first, last)
