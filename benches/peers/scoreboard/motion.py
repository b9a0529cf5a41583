"""Scenes of flight, tops, linkages and impacts."""

import math

import numpy as np
from truth import brick, off, scene
from worlds import G, body, ground, joint, matrix, product, shape, turn, world


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
