"""Worlds in a form that no engine owns: plain numbers that each engine's module translates.

A world is a dictionary:

    gravity, dt, steps, samples    m/s^2, s, how many steps, and after which of them states are wanted
    friction, restitution          of every pair of surfaces
    bodies    name, mass, inertia (three principal moments about the body's origin, which is its centre of mass),
              shapes, pos, quat (w x y z), vel, omega (world axes), force (constant, world axes, at the centre of mass)
    statics   shapes of the world
    joints    type (revolute, prismatic, ball), parent ("world" or a body before it), child, anchor and axis (world, at
              the start), rate (rad/s or m/s); child and parent do not touch
    loops     a, b, anchor: a point of a is a point of b

A shape has kind, size, pos, quat: sphere [r], box [three half sides], capsule and cylinder [half height along z, r],
hull [points], plane [] (the half space below z = 0 of its frame). A state is 13 numbers: pos, quat, vel, omega.
"""

import math

import numpy as np

IDENTITY = [1.0, 0.0, 0.0, 0.0]
G = 9.81


def shape(kind, *size, pos=(0, 0, 0), quat=IDENTITY):
    return {"kind": kind, "size": list(size), "pos": list(map(float, pos)), "quat": list(map(float, quat))}


def moments(kind, size, mass):
    """Principal moments of a solid shape about its middle."""
    if kind == "sphere":
        return [0.4 * mass * size[0] ** 2] * 3
    if kind == "box":
        x, y, z = (s * s for s in size)
        return [mass / 3 * (y + z), mass / 3 * (x + z), mass / 3 * (x + y)]
    half, r = size
    if kind == "cylinder":
        across = mass * (r * r / 4 + half * half / 3)
        return [across, across, mass * r * r / 2]
    assert kind == "capsule", kind
    tube, ball = 2 * half * r * r, 4 / 3 * r**3
    tube, ball = mass * tube / (tube + ball), mass * ball / (tube + ball)
    across = tube * (r * r / 4 + half * half / 3) + ball * (0.4 * r * r + half * half + 0.75 * half * r)
    return [across, across, tube * r * r / 2 + ball * 0.4 * r * r]


def body(name, what, mass, pos, quat=IDENTITY, vel=(0, 0, 0), omega=(0, 0, 0), inertia=None, force=None):
    shapes = what if isinstance(what, list) else [what]
    if inertia is None:
        inertia = moments(shapes[0]["kind"], shapes[0]["size"], mass)
    numbers = {"pos": pos, "quat": quat, "vel": vel, "omega": omega, "inertia": inertia}
    numbers = {key: [float(x) for x in value] for key, value in numbers.items()}
    force = None if force is None else [float(x) for x in force]
    return {"name": name, "mass": float(mass), "shapes": shapes, "force": force, **numbers}


def joint(kind, parent, child, anchor, axis=(0, 0, 1), rate=0.0):
    anchor, axis = [float(x) for x in anchor], [float(x) for x in axis]
    return {"type": kind, "parent": parent, "child": child, "anchor": anchor, "axis": axis, "rate": float(rate)}


def world(bodies, seconds, statics=(), gravity=(0, 0, -G), dt=1e-3, at=(), friction=0.5, restitution=0.0, joints=(), loops=()):
    steps = round(seconds / dt)
    samples = sorted({round(t / dt) for t in at} | {steps})
    return {
        "gravity": [float(x) for x in gravity], "dt": dt, "steps": steps, "samples": samples,
        "friction": float(friction), "restitution": float(restitution), "bodies": list(bodies),
        "statics": list(statics), "joints": list(joints), "loops": list(loops),
    }


def ground():
    return shape("plane")


def turn(axis, angle):
    """The quaternion of a turn."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return [math.cos(angle / 2), *(math.sin(angle / 2) * axis)]


def matrix(quat):
    w, x, y, z = np.array(quat, float) / np.linalg.norm(quat)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def product(a, b):
    w, x, y, z = a
    p, q, r, s = b
    return [w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r,
            w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p]


def conjugate(a):
    return [a[0], -a[1], -a[2], -a[3]]


def rooted(world):
    """Bodies by name, and the joint that carries each of them, if any."""
    return {b["name"]: b for b in world["bodies"]}, {j["child"]: j for j in world["joints"]}
