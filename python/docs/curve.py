"""Draws what a learning recipe printed: python/docs/curve.py docs/printed/learn-to-trot.txt python/docs/trot.svg"""

import re
import sys

WIDTH, HEIGHT, COLOURS = 580, 180, ("#1f5fa8", "#c2571a")


def read(path):
    """Rounds, rewards, and the second figure with its name."""
    pattern = re.compile(r"round (\d+): reward a step (-?[\d.]+), (?:held (\d+) % of the time|(-?[\d.]+) m/s)")
    found = [m.groups() for m in map(pattern.match, open(path)) if m]
    rounds, rewards = [int(f[0]) for f in found], [float(f[1]) for f in found]
    held = found[0][2] is not None
    return rounds, rewards, [float(f[2] if held else f[3]) for f in found], "held, % of the time" if held else "speed, m/s"


def line(rounds, values, colour):
    low, high = min(0.0, *values), max(values)
    x = [40 + WIDTH * (r - rounds[0]) / (rounds[-1] - rounds[0]) for r in rounds]
    y = [30 + HEIGHT * (high - v) / (high - low) for v in values]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>'


def main(source, target):
    rounds, rewards, others, name = read(source)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 240" font-family="sans-serif">',
           '<path d="M40 30V210H620" fill="none" stroke="#888"/>']
    for values, what, colour, at in [(rewards, "reward of a step", COLOURS[0], 46), (others, name, COLOURS[1], 340)]:
        out.append(line(rounds, values, colour))
        out.append(f'<text x="{at}" y="16" fill="{colour}" font-size="12">{what}: {values[0]:g} to {values[-1]:g}, at most {max(values):g}</text>')
    out.append(f'<text x="620" y="228" font-size="12" text-anchor="end">round {rounds[-1]}</text></svg>')
    open(target, "w").write("\n".join(out) + "\n")


main(*sys.argv[1:])
