"""Scenes of friction and of rest."""

import math

import numpy as np
from truth import brick, level, off, rest, scene
from worlds import G, body, ground, joint, shape, turn, world


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
