"""Proximal policy optimisation in NumPy, small enough to read: what the recipes learn with.

Clipped ratios, generalised advantages, observations put to mean 0 and spread 1, a spread of actions that is learnt; two
nets of two layers of tanh, with Adam [Schulman et al. 2017]. For work of your own take a library: `gudgeon.envs.stable` has the
adapter to stable-baselines3.
"""

import numpy as np

GAMMA, LAMBDA, CLIP = 0.98, 0.95, 0.2


class Net:
    """Two layers of tanh and a linear one, with Adam."""

    def __init__(self, rng, sizes, last, rate):
        pairs = list(zip(sizes[:-1], sizes[1:], strict=True))
        self.p = [a for n, m in pairs for a in (rng.normal(0, n**-0.5, (n, m)), np.zeros(m))]
        self.p[-2] *= last
        self.m = [np.zeros_like(p) for p in self.p]
        self.v = [np.zeros_like(p) for p in self.p]
        self.t, self.rate = 0, rate

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
            p -= self.rate * (m / (1 - 0.9**self.t)) / (np.sqrt(v / (1 - 0.999**self.t)) + 1e-8)


class Policy:
    """What is learnt: from observations, one row a copy, to actions."""

    def __init__(self, rng, seen, actions, rate):
        n = seen.shape[1]
        self.net, self.value = Net(rng, [n, 64, 64, actions], 0.01, rate), Net(rng, [n, 64, 64, 1], 1.0, rate)
        self.spread = np.full(actions, -0.5)
        self.mean, self.square, self.count = np.zeros(n), np.ones(n), 1e-4

    def look(self, seen):
        """Takes observations into the mean and the spread."""
        rows = len(seen)
        self.mean = (self.count * self.mean + seen.sum(0)) / (self.count + rows)
        self.square = (self.count * self.square + (seen**2).sum(0)) / (self.count + rows)
        self.count += rows

    def normal(self, seen):
        return np.clip((seen - self.mean) / np.sqrt(np.maximum(self.square - self.mean**2, 1e-4)), -5, 5)

    def __call__(self, seen):
        return self.net.forward(self.normal(seen))


def train(env, rounds, *, horizon=64, rate=1e-3, measure=lambda info: 0.0, report=None):
    """Learns for so many rounds of `horizon` steps of every copy; returns the policy and, by round, the mean reward of a
    step and the mean of what `measure` makes of `info`. Every fourth round is told to `report`."""
    rng = np.random.default_rng(0)
    seen, _ = env.reset(seed=0)
    copies = env.num_envs
    policy = Policy(rng, seen, env.single_action_space.shape[0], rate)
    curve = []
    for number in range(rounds):
        xs, acts, logs, values, rewards, ends, measured = [], [], [], [], [], [], 0.0
        for _ in range(horizon):
            policy.look(seen)
            x = policy.normal(seen)
            mu = policy.net.forward(x)
            act = mu + np.exp(policy.spread) * rng.normal(size=mu.shape)
            logs.append((-0.5 * ((act - mu) / np.exp(policy.spread)) ** 2 - policy.spread).sum(1))
            values.append(policy.value.forward(x)[:, 0])
            xs.append(x)
            acts.append(act)
            seen, reward, over, cut, info = env.step(act)
            rewards.append(reward)
            ends.append(over | cut)
            measured += float(np.mean(measure(info))) / horizon
        values.append(policy.value.forward(policy.normal(seen))[:, 0])
        gain, gains = np.zeros(copies), np.zeros((horizon, copies))
        for t in reversed(range(horizon)):
            going = 1.0 - ends[t]
            gain = rewards[t] + GAMMA * values[t + 1] * going - values[t] + GAMMA * LAMBDA * going * gain
            gains[t] = gain
        target = (gains + np.array(values[:-1])).ravel()
        _improve(policy, rng, np.concatenate(xs), np.concatenate(acts), np.concatenate(logs), gains.ravel(), target)
        curve.append((float(np.mean(rewards)), measured))
        if report is not None and number % 4 == 3:
            report(number + 1, *curve[-1])
    return policy, curve


def _improve(policy, rng, x, act, log, gains, target):
    """Five passes over a round, in eight parts each."""
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(5):
        for part in np.array_split(rng.permutation(len(x)), 8):
            mu = policy.net.forward(x[part])
            off = (act[part] - mu) / np.exp(policy.spread)
            ratio = np.exp(np.clip((-0.5 * off**2 - policy.spread).sum(1) - log[part], -5, 5))
            inside = ~(((ratio > 1 + CLIP) & (gains[part] > 0)) | ((ratio < 1 - CLIP) & (gains[part] < 0)))
            pull = (-ratio * gains[part] * inside / len(part))[:, None]
            policy.net.learn(pull * off / np.exp(policy.spread))
            policy.spread -= 3e-3 * np.clip((pull * (off**2 - 1)).sum(0), -1, 1)
            guess = policy.value.forward(x[part])
            policy.value.learn((guess - target[part, None]) / len(part))
    policy.spread = np.clip(policy.spread, -2.5, 0.0)


def picture(curve, path, what, every=1):
    """Two curves over the rounds as an SVG, a point for so many: the reward of a step, and what was measured beside it."""
    wide, high, lines = 640, 240, []
    for column, colour in [(0, "#1f5fa8"), (1, "#c2571a")]:
        y = np.array([row[column] for row in curve])
        low, most = min(0.0, y.min()), max(y.max(), 1e-9)
        points = [
            f"{40 + (wide - 60) * k / max(len(y) - 1, 1):.1f},{high - 30 - (high - 60) * (v - low) / (most - low):.1f}"
            for k, v in enumerate(y)
        ]
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{" ".join(points)}"/>')
        name = ["reward of a step", what][column]
        words = f"{name}: {y[0]:.2f} to {y[-1]:.2f}, at most {y.max():.2f}"
        lines.append(f'<text x="46" y="{16 + 14 * column}" fill="{colour}" font-size="12">{words}</text>')
    axis = f'<path d="M40 30V{high - 30}H{wide - 20}" fill="none" stroke="#888"/>'
    label = f'<text x="{wide - 90}" y="{high - 12}" fill="#666" font-size="12">{every * len(curve)} rounds</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif">'
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([head, axis, *lines, label, "</svg>", ""]))
