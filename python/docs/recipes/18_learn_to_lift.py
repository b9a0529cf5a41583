"""Proximal policy optimisation in NumPy: a gripper learns to lift a block.

Small on purpose (a minute on one core); `python 18_learn_to_lift.py 100` goes on for longer. With stable-baselines3 the
same task is `PPO("MlpPolicy", StableVecEnv(PinchAndLiftVector(32, max_episode_steps=100)))`, see `gudgeon.envs.stable`.
"""

import sys

import numpy as np

from gudgeon.envs import PinchAndLiftVector

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 24
COPIES, HORIZON, LIMIT = 32, 64, 100
GAMMA, LAMBDA, CLIP, RATE = 0.98, 0.95, 0.2, 1e-3
rng = np.random.default_rng(0)


class Net:
    """Two layers of tanh and a linear one, with Adam."""

    def __init__(self, sizes, last):
        pairs = list(zip(sizes[:-1], sizes[1:], strict=True))
        self.p = [a for n, m in pairs for a in (rng.normal(0, n**-0.5, (n, m)), np.zeros(m))]
        self.p[-2] *= last
        self.m = [np.zeros_like(p) for p in self.p]
        self.v = [np.zeros_like(p) for p in self.p]
        self.t = 0

    def forward(self, x):
        self.h = [x]
        for k in range(0, len(self.p) - 2, 2):
            self.h.append(np.tanh(self.h[-1] @ self.p[k] + self.p[k + 1]))
        return self.h[-1] @ self.p[-2] + self.p[-1]

    def learn(self, g):
        """One step against the gradient g of the loss by the outputs of the last call."""
        grads = []
        for k in range(len(self.p) - 2, -1, -2):
            h = self.h[k // 2]
            grads[:0] = [h.T @ g, g.sum(0)]
            g = (g @ self.p[k].T) * (1 - h * h)
        self.t += 1
        size = min(1.0, 0.5 / (1e-8 + np.sqrt(sum((x * x).sum() for x in grads))))
        for p, m, v, x in zip(self.p, self.m, self.v, grads, strict=True):
            m += 0.1 * (size * x - m)
            v += 0.001 * ((size * x) ** 2 - v)
            p -= RATE * (m / (1 - 0.9**self.t)) / (np.sqrt(v / (1 - 0.999**self.t)) + 1e-8)


env = PinchAndLiftVector(COPIES, max_episode_steps=LIMIT)
seen, _ = env.reset(seed=0)
n, a = seen.shape[1], env.single_action_space.shape[0]
policy, value, spread = Net([n, 64, 64, a], 0.01), Net([n, 64, 64, 1], 1.0), np.full(a, -0.5)
mean, square, count = np.zeros(n), np.ones(n), 1e-4


def normal(x):
    return np.clip((x - mean) / np.sqrt(np.maximum(square - mean**2, 1e-4)), -5, 5)


curve = []
for number in range(ROUNDS):
    xs, acts, logs, values, rewards, ends = [], [], [], [], [], []
    success = 0.0
    for _ in range(HORIZON):
        mean = (count * mean + seen.sum(0)) / (count + COPIES)
        square = (count * square + (seen**2).sum(0)) / (count + COPIES)
        count += COPIES
        x = normal(seen)
        mu = policy.forward(x)
        act = mu + np.exp(spread) * rng.normal(size=mu.shape)
        logs.append((-0.5 * ((act - mu) / np.exp(spread)) ** 2 - spread).sum(1))
        values.append(value.forward(x)[:, 0])
        xs.append(x)
        acts.append(act)
        seen, reward, over, cut, info = env.step(act)
        rewards.append(reward)
        ends.append(over | cut)
        success += info["is_success"].mean() / HORIZON
    values.append(value.forward(normal(seen))[:, 0])
    gain, gains = np.zeros(COPIES), np.zeros((HORIZON, COPIES))
    for t in reversed(range(HORIZON)):
        going = 1.0 - ends[t]
        gain = rewards[t] + GAMMA * values[t + 1] * going - values[t] + GAMMA * LAMBDA * going * gain
        gains[t] = gain
    x, act, log = np.concatenate(xs), np.concatenate(acts), np.concatenate(logs)
    gains, target = gains.ravel(), (gains + np.array(values[:-1])).ravel()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(5):
        for part in np.array_split(rng.permutation(len(x)), 8):
            mu = policy.forward(x[part])
            off = (act[part] - mu) / np.exp(spread)
            ratio = np.exp(np.clip((-0.5 * off**2 - spread).sum(1) - log[part], -5, 5))
            inside = ~(((ratio > 1 + CLIP) & (gains[part] > 0)) | ((ratio < 1 - CLIP) & (gains[part] < 0)))
            pull = (-ratio * gains[part] * inside / len(part))[:, None]
            policy.learn(pull * off / np.exp(spread))
            spread -= 3e-3 * np.clip((pull * (off**2 - 1)).sum(0), -1, 1)
            guess = value.forward(x[part])
            value.learn((guess - target[part, None]) / len(part))
    spread = np.clip(spread, -2.5, 0.0)
    curve.append((np.mean(rewards), success))
    if number % 4 == 3:
        print(f"round {number + 1}: reward a step {curve[-1][0]:.3f}, held {100 * success:.0f} % of the time", flush=True)

first, last = np.mean([r for r, _ in curve[:4]]), np.mean([r for r, _ in curve[-4:]])
assert last > first + 0.3, (first, last)
