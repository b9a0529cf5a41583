"""The scenes of the scoreboard, each with its truth: what is measured is a pure number, nought if all is as it should be.

A scene is a function of `run`, which simulates a world and answers its states at the samples. The error is in units that the
scene names; 1 means all is lost, and worse than that counts as 1. `patience` is the processor time for which an engine is waited for, s.
"""

import math

import numpy as np
from worlds import G, body, ground, joint, matrix, product, shape, turn, world

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


# ---- friction


@scene("slope-stick", "a box on a slope of 0.99 of the limit, downhill askew to its sides: moved in 2 s", "half widths")
def slope_stick(run):
    gravity, _ = level(0.99 * 0.5, 0.7)
    return rest(run, world([brick("box", [0.1, 0.1, 0.05], 1, [0, 0, 0.05])], 2, [ground()], gravity), 0.1)


@scene("slope-slide", "the same at 1.01: its speed after 2 s", "of the speed")
def slope_slide(run):
    gravity, theta = level(1.01 * 0.5, 0.7)
    last = run(world([brick("box", [0.1, 0.1, 0.05], 1, [0, 0, 0.05])], 2, [ground()], gravity))[-1]
    speed = 0.01 * 0.5 * G * math.cos(theta) * 2
    return off(last["box"][7:9], [speed * math.cos(0.7), speed * math.sin(0.7)])


@scene("compass", "a box pushed with 1.05 of its friction towards 0, 22.5, 30 and 45 degrees: velocity after 1 s, the worst", "of the speed")
def compass(run):
    worst = 0.0
    for degrees in (0, 22.5, 30, 45):
        way = [math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0]
        push = [1.05 * 0.5 * 2 * G * x for x in way]
        last = run(world([brick("box", [0.2, 0.2, 0.02], 2, [0, 0, 0.02], force=push)], 1, [ground()]))[-1]
        worst = max(worst, off(last["box"][7:10], [0.05 * 0.5 * G * x for x in way]))
    return worst


@scene("stopping", "a box slides at 3 m/s until it stops", "of the distance")
def stopping(run):
    w = world([brick("box", [0.2, 0.2, 0.02], 2, [0, 0, 0.02], vel=[3, 0, 0])], 1.3, [ground()], friction=0.3)
    return off(run(w)[-1]["box"][:1], [9 / (2 * 0.3 * G)])


@scene("two-boxes", "a box on a box, the lower one pulled away: both accelerations", "of the acceleration")
def two_boxes(run):
    mu, force = 0.4, 1.5 * 2 * 0.4 * 3 * G
    lower = brick("lower", [0.5, 0.2, 0.05], 2, [0, 0, 0.05], force=[force, 0, 0])
    last = run(world([lower, brick("upper", [0.05, 0.05, 0.02], 1, [0, 0, 0.12])], 0.2, [ground()], friction=mu))[-1]
    truth = [(force - mu * G - mu * 3 * G) / 2 * 0.2, mu * G * 0.2]
    return off([last["lower"][7], last["upper"][7]], truth)


@scene("rolling", "a ball rolls down a slope: speed after 1 s", "of the speed")
def rolling(run):
    gravity, theta = level(0.3)
    w = world([body("ball", shape("sphere", 0.1), 1, [0, 0, 0.1])], 1, [ground()], gravity, friction=0.6)
    return off(run(w)[-1]["ball"][7:10], [G * math.sin(theta) / 1.4, 0, 0])


@scene("backspin", "a ball with backspin ends rolling at (5 v + 2 r w)/7", "of the speed")
def backspin(run):
    ball = body("ball", shape("sphere", 0.05), 0.3, [0, 0, 0.05], vel=[2, 0, 0], omega=[0, -150, 0])
    last = run(world([ball], 2.2, [ground()], friction=0.2))[-1]
    return off(last["ball"][7:10], [(5 * 2 - 2 * 0.05 * 150) / 7, 0, 0])


@scene("turntable", "a ball rolls on a turning table in circles of 2/7 of its rate: place after a quarter", "of the radius of its circle")
def turntable(run):
    rate, r = 2.0, 0.05
    start, velocity = np.array([1.0, 0.0]), np.array([0.3, 0.5])
    table = body("table", shape("cylinder", 0.1, 5.0), 1e3, [0, 0, -0.1], omega=[0, 0, rate])
    slip = velocity - rate * np.array([-start[1], start[0]])
    ball = body("ball", shape("sphere", r), 0.1, [*start, r], vel=[*velocity, 0], omega=[-slip[1] / r, slip[0] / r, 0])
    turns = 2 / 7 * rate
    seconds = round(0.25 * 2 * math.pi / turns, 3)
    last = run(world([table, ball], seconds, friction=0.8, joints=[joint("revolute", "world", "table", [0, 0, -0.1], rate=rate)]))[-1]
    # velocity turns at a steady rate, so the middle of the circle is a quarter turn to the left of it
    middle = start + np.array([-velocity[1], velocity[0]]) / turns
    c, s = math.cos(turns * seconds), math.sin(turns * seconds)
    truth = middle + np.array([[c, -s], [s, c]]) @ (start - middle)
    return float(np.linalg.norm(np.array(last["ball"][:2]) - truth) / np.linalg.norm(start - middle))


# ---- rest


@scene("stack-100", "ten boxes, the top one of a hundred masses: moved in 5 s", "half widths")
def stack_100(run):
    boxes = [brick(f"box{k}", [0.1] * 3, 100 if k == 9 else 1, [0, 0, 0.1 + 0.2 * k]) for k in range(10)]
    return rest(run, world(boxes, 5, [ground()]), 0.1)


@scene("stack-1e6", "a box of a million masses on a light one: moved in 5 s", "half widths")
def stack_million(run):
    boxes = [brick("light", [0.1] * 3, 1, [0, 0, 0.1]), brick("heavy", [0.1] * 3, 1e6, [0, 0, 0.3])]
    return rest(run, world(boxes, 5, [ground()]), 0.1)


@scene("wall", "a wall of 33 bricks in six rows: moved in 2 s", "heights of a brick")
def wall(run):
    bricks = []
    for row in range(6):
        for k in range(6 if row % 2 == 0 else 5):
            x = 0.2 * (k - 2.5 + 0.5 * (row % 2))
            bricks.append(brick(f"b{row}.{k}", [0.1, 0.05, 0.05], 2, [x, 0, 0.05 + 0.1 * row]))
    return rest(run, world(bricks, 2, [ground()]), 0.1)


@scene("grasp", "a capsule held between two pads by 2 N each: crept in 5 s", "radii of the capsule")
def grasp(run):
    held = body("capsule", shape("capsule", 0.04, 0.02), 0.045, [0, 0, 1])
    pads = [brick(n, [0.01, 0.03, 0.03], 0.1, [s * 0.03, 0, 1], force=[-2 * s, 0, 0.1 * G]) for n, s in (("left", -1), ("right", 1))]
    joints = [joint("prismatic", "world", b["name"], b["pos"], [1, 0, 0]) for b in pads]
    w = world([held, *pads], 5, joints=joints)
    return float(np.linalg.norm(np.subtract(run(w)[-1]["capsule"][:3], [0, 0, 1]))) / 0.02


@scene("cards", "a house of 26 cards at 65 degrees, friction 0.8: moved in 2 s", "lengths of a card")
def cards(run):
    a, b, c = 0.045, 0.03, 0.0005
    lean = math.radians(65)
    across, up = a * math.cos(lean) + c * math.sin(lean), a * math.sin(lean) + c * math.cos(lean)
    pitch = 2 * (2 * a * math.cos(lean) + 2 * c * math.sin(lean)) + 2e-3
    out, z = [], 0.0
    for storey in range(4):
        pairs = 4 - storey
        first = -0.5 * pitch * (pairs - 1)
        for k in range(pairs):
            x = first + pitch * k
            for n, s, angle in (("l", -1, lean), ("r", 1, math.pi - lean)):
                out.append(brick(f"{n}{storey}.{k}", [a, b, c], 0.002, [x + s * across, 0, z + up], quat=turn([0, 1, 0], -angle)))
        z += 2 * up
        for k in range(pairs - 1):
            half = 0.5 * pitch - 2.5e-4
            out.append(brick(f"f{storey}.{k}", [half, b, c], 0.002, [first + pitch * (k + 0.5), 0, z + c]))
        z += 2 * c
    return rest(run, world(out, 2, [ground()], friction=0.8), 2 * a)


# ---- limits


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


# ---- flight, tops, linkages


def rotating(moments, quat, omega, seconds, torque=None, steps=20000):
    """The motion of a turning body by RK4: its orientation, and its angular velocity in its own axes."""
    i = np.array(moments)

    def rate(y):
        q, w = y[:4], y[4:]
        moment = np.zeros(3) if torque is None else torque(q)
        return np.concatenate([0.5 * np.array(product(q, [0, *w])), (moment - np.cross(w, i * w)) / i])

    y, h = np.concatenate([quat, omega]), seconds / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + 0.5 * h * a)
        c = rate(y + 0.5 * h * b)
        d = rate(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
        y[:4] /= np.linalg.norm(y[:4])
    return y[:4], y[4:]


@scene("flight", "a tumbling brick thrown 5 m far: place after a second, and angular momentum", "of the way, of the momentum")
def flight(run):
    start = [2.0, 3.0, 4.0]
    b = brick("brick", [0.1, 0.05, 0.03], 1, [0, 0, 10], vel=start, omega=[3, 7, 1])
    last = run(world([b], 1))[-1]["brick"]
    truth = np.array([0, 0, 10]) + np.array(start) - np.array([0, 0, 0.5 * G])
    spin = np.array(b["inertia"]) * np.array([3.0, 7, 1])
    own = matrix(last[3:7])
    now = own @ (np.array(b["inertia"]) * (own.T @ np.array(last[10:13])))
    return max(float(np.linalg.norm(truth - last[:3]) / np.linalg.norm(start)), off(now, spin))


@scene("racket", "a tennis racket turns over: direction of its long side after 2.3 s", "radians")
def racket(run):
    moments, omega = [1.0e-3, 2.0e-3, 2.9e-3], [0.05, 10.0, 0.05]
    b = brick("racket", [0.1, 0.05, 0.01], 0.3, [0, 0, 0], inertia=moments, omega=omega)
    last = run(world([b], 2.3, gravity=[0, 0, 0]))[-1]["racket"]
    quat, _ = rotating(moments, [1, 0, 0, 0], omega, 2.3)
    return angle_between(matrix(quat)[:, 0], matrix(last[3:7])[:, 0])


def angle_between(a, b):
    return float(math.atan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b)))


@scene("top", "a heavy top that precesses steadily: direction of its axis after 2 s", "radians")
def top(run):
    mass, arm, across, about, theta, rate = 1.0, 0.1, 0.02, 0.008, 0.6, 2.0
    spin = (across * rate * rate * math.cos(theta) + mass * G * arm) / (about * rate)
    quat = turn([0, 1, 0], theta)
    omega = matrix(quat) @ np.array([-rate * math.sin(theta), 0, spin])
    own = across - mass * arm * arm
    place = matrix(quat) @ [0, 0, arm]
    b = body("top", [], mass, place, quat=quat, vel=np.cross(omega, place), omega=omega, inertia=[own, own, about])
    last = run(world([b], 2, joints=[joint("ball", "world", "top", [0, 0, 0])]))[-1]["top"]
    axis = [math.sin(theta) * math.cos(2 * rate), math.sin(theta) * math.sin(2 * rate), math.cos(theta)]
    return angle_between(axis, matrix(last[3:7])[:, 2])


@scene("pendulum", "a pendulum let go at 143 degrees: its angle after 3 s", "radians")
def pendulum(run):
    swing = 2.5
    away = [-math.sin(swing), 0, -math.cos(swing)]
    b = body("bob", [], 1, away, quat=turn([0, 1, 0], swing), inertia=[1e-3] * 3)
    last = run(world([b], 3, joints=[joint("revolute", "world", "bob", [0, 0, 0], [0, 1, 0])]))[-1]["bob"]
    y, h = np.array([swing, 0.0]), 3 / 30000

    def rate(y):
        return np.array([y[1], -G * math.sin(y[0]) / 1.001])

    for _ in range(30000):
        a = rate(y)
        b = rate(y + 0.5 * h * a)
        c = rate(y + 0.5 * h * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return angle_between([-math.sin(y[0]), 0, -math.cos(y[0])], last[:3])


@scene("coriolis", "a bead without friction on a turning rod: how far out after a second", "of the distance")
def coriolis(run):
    rate = 2.0
    rod = body("rod", [], 1e6, [0, 0, 0], omega=[0, 0, rate], inertia=[1e6] * 3)
    bead = body("bead", [], 0.1, [0.1, 0, 0], vel=[0, 0.1 * rate, 0], omega=[0, 0, rate], inertia=[1e-6] * 3)
    joints = [joint("revolute", "world", "rod", [0, 0, 0], rate=rate), joint("prismatic", "rod", "bead", [0.1, 0, 0], [1, 0, 0])]
    last = run(world([rod, bead], 1, gravity=[0, 0, 0], joints=joints))[-1]["bead"]
    return off([np.linalg.norm(last[:2])], [0.1 * math.cosh(rate)])


@scene("four-bar", "a crank-rocker spun up and left alone for 10 s: the loop comes apart by, and energy is off by", "of the crank, of the energy")
def four_bar(run):
    pivots = [np.array([0.0, 0, 0]), np.array([0.3, 0, 0]), None, np.array([1.0, 0, 0])]
    # crank 0.3 along x, coupler 0.8, rocker 0.6
    d = 0.7
    x = (0.8**2 - 0.6**2 + d * d) / (2 * d)
    pivots[2] = np.array([0.3 + x, 0, math.sqrt(0.8**2 - x * x)])
    bodies = []
    for name, (a, b) in {"crank": (0, 1), "coupler": (1, 2), "rocker": (3, 2)}.items():
        way = pivots[b] - pivots[a]
        length = np.linalg.norm(way)
        bodies.append(body(name, [], length, 0.5 * (pivots[a] + pivots[b]), quat=turn([0, 1, 0], -math.atan2(way[2], way[0])),
                           inertia=[1e-4, length**3 / 12, length**3 / 12]))
    spin = 12.0
    v1 = np.array([0, 0, 0.3 * spin])  # of the crank's end, turning from x to z
    # both ends of the coupler and of the rocker: v1 + w2 x (p2 - p1) = w3 x (p2 - p3), about -y
    cross = lambda r: np.array([-r[2], r[0]])  # noqa: E731
    a, b = cross(pivots[2] - pivots[1]), cross(pivots[2] - pivots[3])
    w2, w3 = np.linalg.solve(np.array([a, -b]).T, -np.array([v1[0], v1[2]]))
    turned = lambda w, r: np.array([-w * r[2], 0, w * r[0]])  # noqa: E731
    speeds = [spin, w2, w3]
    centres = [turned(spin, 0.5 * pivots[1]), v1 + turned(w2, 0.5 * (pivots[2] - pivots[1])), turned(w3, 0.5 * (pivots[2] - pivots[3]))]
    for part, w, v in zip(bodies, speeds, centres):
        part["omega"], part["vel"] = [0.0, -float(w), 0.0], [float(t) for t in v]
    joints = [joint("revolute", "world", "crank", pivots[0], [0, -1, 0], rate=spin),
              joint("revolute", "crank", "coupler", pivots[1], [0, -1, 0], rate=w2 - spin),
              joint("revolute", "world", "rocker", pivots[3], [0, -1, 0], rate=w3)]
    w = world(bodies, 10, joints=joints, loops=[{"a": "coupler", "b": "rocker", "anchor": [float(t) for t in pivots[2]]}])

    def energy(states):
        total = 0.0
        for part in bodies:
            s = states[part["name"]]
            spin2 = (matrix(s[3:7]).T @ np.array(s[10:13])) ** 2
            total += 0.5 * part["mass"] * np.dot(s[7:10], s[7:10]) + 0.5 * np.dot(part["inertia"], spin2) + part["mass"] * G * s[2]
        return total

    last = run(w)[-1]
    ends = []
    for part in bodies[1:]:
        local = matrix(part["quat"]).T @ (pivots[2] - part["pos"])
        ends.append(np.array(last[part["name"]][:3]) + matrix(last[part["name"]][3:7]) @ local)
    first = energy({b["name"]: [*b["pos"], *b["quat"], *b["vel"], *b["omega"]] for b in bodies})
    return max(float(np.linalg.norm(ends[0] - ends[1])) / 0.3, abs(energy(last) - first) / abs(first))


# ---- impacts


@scene("bounces", "a ball bounces five times with 0.8 of its speed: height of the fifth", "of the height")
def bounces(run):
    e, r = 0.8, 0.1
    fall = math.sqrt(2 / G)
    at = fall * (1 + 2 * (e + e**2 + e**3 + e**4) + e**5)
    last = run(world([body("ball", shape("sphere", r), 1, [0, 0, 1 + r])], round(at, 3), [ground()], restitution=e))[-1]["ball"]
    return off([last[2] - r + last[9] ** 2 / (2 * G)], [e**10])


@scene("cradle", "Newton's cradle of five balls, 5 mm apart: velocities", "of the speed")
def cradle(run):
    balls = []
    for k in range(5):
        x = 0.045 * k - (0.02 if k == 0 else 0)
        balls.append(body(f"b{k}", shape("sphere", 0.02), 0.1, [x, 0, 0], vel=[1.0 if k == 0 else 0.0, 0, 0]))
    last = run(world(balls, 0.2, gravity=[0, 0, 0], friction=0, restitution=1))[-1]
    return max(abs(last[f"b{k}"][7] - (1.0 if k == 4 else 0.0)) for k in range(5))


@scene("thirty", "thirty bodies meet in free space: momentum, angular momentum, energy made", "of their sums")
def thirty(run):
    bodies = []
    for k in range(30):
        at = np.array([k % 3 - 1, k // 3 % 3 - 1, k // 9 - 1.5]) * 0.35
        what = [shape("sphere", 0.1), shape("box", 0.1, 0.08, 0.06), shape("capsule", 0.08, 0.06)][k % 3]
        bodies.append(body(f"b{k}", what, 0.5 + 0.1 * k, at, vel=-at * 3 + [-at[1], at[0], 0.2], omega=np.array([at[2], at[0], at[1]]) * 5))

    def sums(states):
        out = np.zeros(8)
        for b in bodies:
            s = np.array(states[b["name"]])
            own, i, m = matrix(s[3:7]), np.array(b["inertia"]), b["mass"]
            local = own.T @ s[10:13]
            linear, angular = m * s[7:10], own @ (i * local) + m * np.cross(s[:3], s[7:10])
            out[:3] += linear
            out[3:6] += angular
            out[6] += 0.5 * m * s[7:10] @ s[7:10] + 0.5 * local @ (i * local)
            out[7] += np.linalg.norm(linear)
        return out

    first = sums({b["name"]: [*b["pos"], *b["quat"], *b["vel"], *b["omega"]] for b in bodies})
    w = world(bodies, 1, gravity=[0, 0, 0], friction=0.3, at=[0.25, 0.5, 0.75])
    worst = 0.0
    for states in run(w):
        now = sums(states)
        moved = max(np.linalg.norm(now[:3] - first[:3]), np.linalg.norm(now[3:6] - first[3:6])) / first[7]
        worst = max(worst, moved, (now[6] - first[6]) / first[6])
    return float(worst)
