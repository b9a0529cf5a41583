"""A quadruped learns to trot at a wanted speed, on copies that all differ, pushed now and then.

In small it learns to go forward (a minute); `python 21_learn_to_trot.py 300 curve.svg` goes on and draws the curve. Friction,
masses, gains and the centre of the torso are drawn anew for every copy at every start; pushes come by chance.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import ppo

from gudgeon.envs import QuadrupedVector

SPEED = 0.4  # m/s
long = len(sys.argv) > 1 and sys.argv[1].isdigit()
env = QuadrupedVector(
    32 if long else 16,
    task={"speed": SPEED, "weights": {"forward": 2.5}},
    max_episode_steps=250,
    randomise={
        "friction": (0.5, 1.2),
        "mass": (0.9, 1.1),
        "com": {"torso": ([-0.02, -0.01, 0.0], [0.02, 0.01, 0.0])},
        "stiffness": (0.9, 1.1),
    },
    pushes={"link": "torso", "force": 30.0, "every": 4.0, "lasting": 0.1},
)
policy, curve = ppo.train(
    env,
    int(sys.argv[1]) if long else 12,
    rate=5e-4,
    measure=lambda info: info["forward"],
    report=lambda n, reward, speed: print(f"round {n}: reward a step {reward:.3f}, {speed:.3f} m/s", flush=True),
)
if long and len(sys.argv) > 2:
    ppo.picture(curve, sys.argv[2], "speed, m/s")
speeds = [speed for _, speed in curve]
print(f"speed of the first rounds {np.mean(speeds[:3]):.3f} m/s, of the last {np.mean(speeds[-3:]):.3f} m/s, wanted {SPEED}")
assert np.mean(speeds[-3:]) > np.mean(speeds[:3])
