"""Scenes at a limit: what just stands, and what just falls."""

import math

from truth import brick, decided, level, scene
from worlds import body, ground, shape, turn, world


def polygon(points):
    """Area, centroid, and second moments about the centroid of a polygon in x, z."""
    area = cx = cz = xx = zz = 0.0
    for (x0, z0), (x1, z1) in zip(points, points[1:] + points[:1]):
        cross = x0 * z1 - x1 * z0
        area += cross / 2
        cx += (x0 + x1) * cross / 6
        cz += (z0 + z1) * cross / 6
        xx += (x0 * x0 + x0 * x1 + x1 * x1) * cross / 12
        zz += (z0 * z0 + z0 * z1 + z1 * z1) * cross / 12
    cx, cz = cx / area, cz / area
    return area, cx, cz, xx - area * cx * cx, zz - area * cz * cz


# of 27 stones over the radius, by linear programming: gudgeon validate arch-27 --json
ARCH = 0.10672090355171594


def arch(part, seconds):
    """27 stones; the frame of each lies in its centroid, x along the radius."""
    n, thick, deep = 27, ARCH * (1 + part), 0.15
    stones = []
    for k in range(n):
        half = 0.5 * math.pi / n
        inner, outer = 1 - 0.5 * thick, 1 + 0.5 * thick
        flat = [(inner * math.cos(half), -inner * math.sin(half)), (outer * math.cos(half), -outer * math.sin(half)),
                (outer * math.cos(half), outer * math.sin(half)), (inner * math.cos(half), inner * math.sin(half))]
        area, cx, _, xx, zz = polygon(flat)
        mass = 1000 * area * 2 * deep
        yy = mass * deep * deep / 3
        xx, zz = mass * xx / area, mass * zz / area
        points = [[x - cx, y, z] for x, z in flat for y in (-deep, deep)]
        angle = math.pi * (k + 0.5) / n
        stones.append(body(f"s{k}", shape("hull", *points), mass, [cx * math.cos(angle), 0, cx * math.sin(angle)],
                           quat=turn([0, 1, 0], -angle), inertia=[yy + zz, xx + zz, xx + yy]))
    return world(stones, seconds, [ground()], at=[seconds / 2], friction=0.8)


@scene("arch", "an arch of 27 stones: how near to the limit of thickness it is decided whether it stands", "of the thickness")
def arch_limit(run):
    return decided(run, arch, 1.0, 1.0)


@scene("overhang", "ten bricks, each over the one below: how near to the harmonic limit it is decided", "of the overhang")
def overhang(run):
    def make(part, seconds):
        bricks, end = [], 0.0
        for k in range(1, 11):
            bricks.append(brick(f"b{k}", [0.1, 0.05, 0.025], 1, [end - 0.1, 0, 0.05 * (10 - k + 0.5)]))
            end -= (1 - part) * 0.1 / k
        # the table ends where the lowest brick is at its limit
        table = shape("box", 0.5, 0.2, 0.1, pos=[end - 0.5, 0, -0.1])
        return world(bricks, seconds, [table], at=[seconds / 2])

    return decided(run, make, 0.2, 1.0)


@scene("ladder", "a ladder against a wall, friction 0.4 at both ends: how near to the least angle it is decided", "of the angle")
def ladder(run):
    mu, half, r = 0.4, 1.0, 0.01

    def moment(angle):
        s, c = math.sin(angle), math.cos(angle)
        return half * c - (half * s + r) * mu + (-half * c - r) * mu * mu - half * s * mu

    low, high = 0.3, 1.5
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if moment(middle) > 0 else (low, middle)

    def make(part, seconds):
        angle = low * (1 + part)
        s, c = math.sin(angle), math.cos(angle)
        ends = [shape("sphere", r, pos=[half * c, 0, -half * s]), shape("sphere", r, pos=[-half * c, 0, half * s])]
        rungs = body("ladder", ends, 10, [half * c + r, 0, half * s + r], inertia=[10 / 3] * 3)
        return world([rungs], seconds, [ground(), shape("plane", quat=turn([0, 1, 0], math.pi / 2))], at=[seconds / 2], friction=mu)

    return decided(run, make, 1.0, 1.0)


@scene("tipping", "a slender box on a slope: how near to width/height it is decided whether it tips", "of the slope")
def tipping(run):
    def make(part, seconds):
        gravity, _ = level(0.4 * (1 - part))
        return world([brick("box", [0.04, 0.1, 0.1], 1, [0, 0, 0.1])], seconds, [ground()], gravity, at=[seconds / 2], friction=0.8)

    return decided(run, make, 0.2, 1.0)


@scene("heap", "ten cylinders in four rows: how near to the friction of its linear program it is decided whether the heap stands", "of the friction")
def heap(run):
    def make(part, seconds):
        r, bodies = 0.1, []
        for row in range(4):
            for k in range(4 - row):
                x, z = r * (2 * k + row - 3), r * (1 + math.sqrt(3) * row)
                bodies.append(body(f"c{row}{k}", shape("cylinder", 0.1, r), 1, [x, 0, z], quat=turn([1, 0, 0], math.pi / 2)))
        return world(bodies, seconds, [ground()], at=[seconds / 2], friction=HEAP * (1 + part))

    return decided(run, make, 0.2, 1.0)


# of ten cylinders, by linear programming: gudgeon validate heap --json
HEAP = 0.4729599505662918
