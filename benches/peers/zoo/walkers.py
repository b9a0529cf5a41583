#!/usr/bin/env python3
"""Gymnasium's walkers beside ours: observations at the same states, rewards, policies that were trained there, steps a second.

    python3 benches/peers/zoo/walkers.py [--only NAME] [--rounds N] [--episodes N] [--wheel FILE]

Three tables. *Observations*: both are put into the same random states; the largest difference of each part, relative to the
largest number of the part or to 1. Where something touches, forces are left out: those of a soft contact are not those of a hard one.
*Policies*: linear ones, found on Gymnasium's environment alone by augmented random search, and two that need no training (no
action, random actions), run on both from the same seeds: mean return, metres walked in a second, steps before the fall.
*Speed*: environment steps of each under random actions, in turns within one run, by the processor's clock.
"""
import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from environment import ROOT, VENV, ZOO

PYTHON = VENV / "bin" / "python"


def install(wheel):
    """Gymnasium, and this repository's package."""
    subprocess.run([PYTHON, "-m", "pip", "install", "-q", "gymnasium>=1.1", "packaging", "imageio", "numpy", "maturin>=1.16,<2"], check=True)
    if wheel is None:
        build = ["maturin", "build", "--release", "--quiet", "-m", ROOT / "python" / "Cargo.toml", "-o", ZOO / "wheel"]
        subprocess.run([VENV / "bin" / build[0], *build[1:], "-i", PYTHON], check=True)
        wheel = max((ZOO / "wheel").glob("gudgeon-*.whl"), key=os.path.getmtime)
    subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel], check=True)


# theirs, ours, policies are looked for, steps of an episode
NAMES = {
    "HalfCheetah-v5": ("gudgeon/HalfCheetah-v5", True),
    "Hopper-v5": ("gudgeon/Hopper-v5", True),
    "Walker2d-v5": ("gudgeon/Walker2d-v5", True),
    "Ant-v5": ("gudgeon/Ant-v5", True),
    "Humanoid-v5": ("gudgeon/GymHumanoid-v5", False),
}
LONG = 500  # steps of an episode at most


def parts(theirs):
    """Names and ranges of what an observation is made of."""
    told, at, out = theirs.unwrapped.observation_structure, 0, []
    for key in ("qpos", "qvel", "cinert", "cvel", "qfrc_actuator", "cfrc_ext"):
        wide = int(told.get(key, 0))
        if wide:
            out.append((key, at, at + wide))
            at += wide
    return out


def observations(name, theirs, ours, states=20):
    """Largest relative differences by part, at random states in the air; the reward of the same action from the same state."""
    rng = np.random.default_rng(5)
    worst = {}
    t, o = theirs.unwrapped, ours.unwrapped
    for _ in range(states):
        theirs.reset(seed=1)
        ours.reset(seed=1)
        qpos, qvel = t.init_qpos.copy(), t.init_qvel.copy()
        free = t.model.jnt_type[0] == 0
        qpos[7 if free else 3 :] += rng.uniform(-0.3, 0.3, qpos.size - (7 if free else 3))
        qpos[2 if free else 1] += 3.0  # nothing touches
        qvel += rng.normal(size=qvel.size)
        action = rng.uniform(-1, 1, t.model.nu) * theirs.action_space.high
        t.data.ctrl[:] = action
        t.set_state(qpos, qvel)
        o.sim.from_mujoco(qpos, qvel)
        o.sim.set_controls(action.astype(float))
        o.sim.sense() if hasattr(o.sim, "sense") else None
        a, b = t._get_obs(), o._observe()
        for key, lo, hi in parts(theirs):
            if key == "qfrc_actuator":
                continue  # ours are those of the last step
            gap = np.abs(a[lo:hi] - b[lo:hi]).max() / max(1.0, np.abs(a[lo:hi]).max())
            worst[key] = max(worst.get(key, 0.0), float(gap))
    return worst


def play(env, policy, seeds, long=LONG):
    """Means over episodes: return, speed, length."""
    rows = []
    for seed in seeds:
        seen, _ = env.reset(seed=seed)
        policy.begin(seed)
        total, steps, way = 0.0, 0, 0.0
        dt = env.unwrapped.dt
        for _ in range(long):
            seen, reward, over, cut, info = env.step(policy(seen))
            total, steps, way = total + float(reward), steps + 1, way + dt * float(info.get("x_velocity", 0.0))
            if over:
                break
        rows.append((total, way / (steps * dt), steps))
    return np.array(rows)


class Nothing:
    def __init__(self, env):
        self.zero = np.zeros(env.action_space.shape)

    def begin(self, seed):
        pass

    def __call__(self, seen):
        return self.zero


class Noise(Nothing):
    def __init__(self, env):
        self.space = env.action_space

    def begin(self, seed):
        self.rng = np.random.default_rng(seed)

    def __call__(self, seen):
        return self.rng.uniform(self.space.low, self.space.high)


class Linear(Nothing):
    """a = W (o - mean)/deviation, bounded; of the observation's first numbers, which are positions and velocities."""

    def __init__(self, env, wide):
        self.w = np.zeros((env.action_space.shape[0], wide))
        self.wide, self.high = wide, env.action_space.high
        self.count, self.mean, self.square = 1e-4, np.zeros(wide), np.ones(wide) * 1e-4
        self.learns = False

    def __call__(self, seen):
        x = seen[: self.wide]
        if self.learns:
            self.count += 1
            delta = x - self.mean
            self.mean = self.mean + delta / self.count
            self.square = self.square + delta * (x - self.mean)
        deviation = np.sqrt(self.square / self.count)
        return np.clip(self.w @ ((x - self.mean) / np.maximum(deviation, 1e-3)), -1, 1) * self.high


def train(env, wide, rounds, seed=3):
    """Augmented random search (Mania, Guy and Recht 2018), version 2-t."""
    policy, rng = Linear(env, wide), np.random.default_rng(seed)
    policy.learns = True
    tries, best, step, size = 12, 6, 0.03, 0.05
    for _ in range(rounds):
        center, results = policy.w, []
        for _ in range(tries):
            turn = rng.normal(size=center.shape)
            ends = []
            for sign in (1, -1):
                policy.w = center + sign * size * turn
                ends.append(play(env, policy, [int(rng.integers(1 << 30))], 250)[0, 0])
            results.append((ends[0], ends[1], turn))
        results.sort(key=lambda r: -max(r[0], r[1]))
        top = results[:best]
        spread = np.std([r[:2] for r in top]) + 1e-6
        policy.w = center + step / (best * spread) * sum((r[0] - r[1]) * r[2] for r in top)
    policy.learns = False
    return policy


def speed(envs, steps=300):
    """Environment steps a second, in turns."""
    spent = [0.0, 0.0]
    for turn in range(6):
        env = envs[turn % 2]
        rng = np.random.default_rng(turn // 2)
        env.reset(seed=turn // 2)
        began = time.process_time()
        for _ in range(steps):
            _, _, over, _, _ = env.step(rng.uniform(env.action_space.low, env.action_space.high))
            if over:
                env.reset(seed=turn // 2)
        spent[turn % 2] += time.process_time() - began
    return [3 * steps / s for s in spent]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=40, help="of training")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--wheel", type=Path, help="a built wheel of this repository")
    parser.add_argument("--installed", action="store_true", help="take what the environment has")
    options = parser.parse_args()
    if not options.installed:
        install(options.wheel)
    global np
    import gymnasium
    import numpy as np

    import gudgeon.envs  # noqa: F401

    seeds = range(100, 100 + options.episodes)
    fast = []
    for name, (own, trains) in NAMES.items():
        if options.only not in name:
            continue
        theirs, ours = gymnasium.make(name), gymnasium.make(own)
        assert theirs.observation_space.shape == ours.observation_space.shape, name
        assert theirs.action_space == ours.action_space, name
        told = ", ".join(f"{key} {gap:.1e}" for key, gap in observations(name, theirs, ours).items())
        print(f"\n{name}: {ours.action_space.shape[0]} actions, {ours.observation_space.shape[0]} observations; differences: {told}")
        print("| policy | return there | here | m/s there | here | steps there | here |\n|---|---|---|---|---|---|---|")
        policies = [("no action", Nothing(theirs)), ("random", Noise(theirs))]
        if trains:
            wide = parts(theirs)[1][2]
            policies.append((f"trained there, {options.rounds} rounds", train(theirs, wide, options.rounds)))
        for word, policy in policies:
            a, b = play(theirs, policy, seeds), play(ours, policy, seeds)
            show = [f"{x[:, k].mean():.3g} ± {x[:, k].std():.2g}" for k in range(3) for x in (a, b)]
            print("| " + " | ".join([word, *show]) + " |", flush=True)
        fast.append((name, *speed((theirs, ours))))
    print("\n| steps a second | Gymnasium on MuJoCo | ours | ratio |\n|---|---|---|---|")
    for name, a, b in fast:
        print(f"| {name} | {a:.0f} | {b:.0f} | {b / a:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
