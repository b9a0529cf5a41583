"""The scenes of the scoreboard, each with its truth: what is measured is a pure number, nought if all is as it should be.

A scene is a function of `run`, which simulates a world and answers its states at the samples. The error is in units that the
scene names; 1 means all is lost, and worse than that counts as 1. `patience` is the processor time for which an engine is waited for, s.
"""

import math

import numpy as np
from worlds import G, body, shape

SCENES = {}


def scene(name, about, unit):
    def add(run):
        SCENES[name] = {"about": about, "unit": unit, "run": run, "patience": 10}
        return run

    return add


def farthest(first, last, size):
    return max(np.linalg.norm(np.subtract(last[n][:3], first[n][:3])) for n in first) / size


def places(w):
    return {b["name"]: [*b["pos"], *b["quat"]] for b in w["bodies"]}


def rest(run, w, size):
    return farthest(places(w), run(w)[-1], size)


def decided(run, make, size, seconds):
    """The nearest part of a limit at which a thing stands on the one side and falls on the other, and all farther ones."""
    good = 1.0
    for part in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
        for stands in (True, False):
            w = make(part if stands else -part, seconds)
            middle, last = run(w)
            early, late = farthest(places(w), middle, size), farthest(middle, last, size)
            if not math.isfinite(late):
                return good
            # what stands moves less than a ten-thousandth of its size a second; what falls has fallen, or goes ever faster
            right = late < 1e-4 * 0.5 * seconds if stands else early > 0.1 or (late > 1e-5 and late > 1.5 * early)
            if not right:
                return good
        good = part
    return good


def level(tangent, azimuth=0.0):
    """Gravity on a slope, in the axes of the slope."""
    theta = math.atan(tangent)
    down = G * math.sin(theta)
    return [down * math.cos(azimuth), down * math.sin(azimuth), -G * math.cos(theta)], theta


def brick(name, half, mass, pos, **more):
    return body(name, shape("box", *half), mass, pos, **more)


def off(value, truth):
    return float(np.linalg.norm(np.subtract(value, truth)) / np.linalg.norm(truth))
