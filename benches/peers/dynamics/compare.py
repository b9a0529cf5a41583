#!/usr/bin/env python3
"""Gudgeon's dynamics against Pinocchio: the same numbers, and both timed in one run.

Coordinates differ in the free joint. Pinocchio: q = (position, quaternion x y z w), v = (linear, angular), both in the
body's axes. Gudgeon: q = (quaternion w x y z, position), v = (angular in the body's axes, linear in the world's).
With v_g = T v_p the quantities of Pinocchio become
    M_g = T^-T M_p T^-1,  b_g = T^-T b_p - M_g (dT/dt) v_p,  a_g = T a_p + (dT/dt) v_p,  J_g = J_p T^-1.
"""
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "out" / "peers" / "dynamics"
VENV = OUT / "venv"
TOLERANCE = 1e-9  # of the largest entry: what the project promises against an outside reference
ROBOTS = {
    "talos": ("talos_data/robots/talos_reduced.urdf", True),
    "solo12": ("solo_description/robots/solo12.urdf", True),
    "anymal": ("anymal_b_simple_description/robots/anymal.urdf", True),
    "panda": ("panda_description/urdf/panda.urdf", False),
}
STATES = 20
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, ["pin", "example-robot-data"])
import numpy as np  # noqa: E402
import pinocchio as pin  # noqa: E402


def robot_models():
    share = next(VENV.glob("lib/*/site-packages/cmeel.prefix/share/example-robot-data/robots"))
    for name, (path, floating) in ROBOTS.items():
        file = str(share / path)
        yield name, pin.buildModelFromUrdf(file, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(file)


def chain(n):
    """Revolute joints about y and z in turn, rods of 0.3 m."""
    model = pin.Model()
    parent = 0
    inertia = pin.Inertia(1.0, np.array([0.15, 0.0, 0.0]), np.diag([1e-3, 8e-3, 8e-3]))
    for k in range(n):
        place = pin.SE3(np.eye(3), np.array([0.0 if k == 0 else 0.3, 0.0, 0.0]))
        joint = pin.JointModelRY() if k % 2 == 0 else pin.JointModelRZ()
        parent = model.addJoint(parent, joint, place, f"r{k}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model


def joint_kind(joint):
    """(kind, axis) of a Pinocchio joint."""
    name = joint.shortname()
    for letter, axis in (("X", (1, 0, 0)), ("Y", (0, 1, 0)), ("Z", (0, 0, 1))):
        if name in (f"JointModelR{letter}", f"JointModelRUB{letter}"):
            return "revolute", axis
        if name == f"JointModelP{letter}":
            return "prismatic", axis
    if name == "JointModelFreeFlyer":
        return "free", (0, 0, 1)
    if name in ("JointModelRevoluteUnaligned", "JointModelPrismaticUnaligned"):
        kind = "revolute" if "Revolute" in name else "prismatic"
        return kind, tuple(joint.extract().axis if hasattr(joint, "extract") else joint.axis)
    raise ValueError(f"joint type {name} is not known here")


def numbers(values):
    return " ".join(repr(float(x)) for x in np.asarray(values).ravel())


def write_model(file, model):
    file.write(f"model {model.njoints - 1} {numbers(model.gravity.linear)}\n")
    for i in range(1, model.njoints):
        kind, axis = joint_kind(model.joints[i])
        x, y = model.jointPlacements[i], model.inertias[i]
        inertia = [y.inertia[0, 0], y.inertia[0, 1], y.inertia[0, 2], y.inertia[1, 1], y.inertia[1, 2], y.inertia[2, 2]]
        armature = model.armature[model.joints[i].idx_v : model.joints[i].idx_v + model.joints[i].nv]
        file.write(
            f"{model.parents[i]} {kind} {numbers(axis)} {numbers(x.rotation)} {numbers(x.translation)} "
            f"{y.mass!r} {numbers(y.lever)} {numbers(inertia)} {float(armature[0])!r}\n"
        )


def to_gudgeon(model, q, v):
    """(q_g, v_g, T, dT/dt) for a state of Pinocchio."""
    q_g, t = [], np.eye(model.nv)
    t_dot = np.zeros((model.nv, model.nv))
    for i in range(1, model.njoints):
        joint = model.joints[i]
        part = q[joint.idx_q : joint.idx_q + joint.nq]
        if joint_kind(joint)[0] == "free":
            position, (x, y, z, w) = part[:3], part[3:]
            q_g += [w, x, y, z, *position]
            r = pin.Quaternion(w, x, y, z).toRotationMatrix()
            s = slice(joint.idx_v, joint.idx_v + 6)
            swap = np.zeros((6, 6))
            swap[:3, 3:] = np.eye(3)
            swap[3:, :3] = r
            t[s, s] = swap
            rate = np.zeros((6, 6))
            rate[3:, :3] = r @ pin.skew(v[joint.idx_v + 3 : joint.idx_v + 6])
            t_dot[s, s] = rate
        elif joint.nq == 2:
            q_g.append(np.arctan2(part[1], part[0]))
        else:
            q_g += list(part)
    return np.array(q_g), t @ v, t, t_dot


def reference(model, data, q, v, tau, links):
    """What Pinocchio says, in Gudgeon's coordinates."""
    q_g, v_g, t, t_dot = to_gudgeon(model, q, v)
    t_inv = np.linalg.inv(t)
    m = pin.crba(model, data, q).copy()
    m = np.triu(m) + np.triu(m, 1).T
    b = pin.rnea(model, data, q, v, np.zeros(model.nv)).copy()
    a = pin.aba(model, data, q, v, tau).copy()
    m_inv = pin.computeMinverse(model, data, q).copy()
    m_inv = np.triu(m_inv) + np.triu(m_inv, 1).T
    pin.computeJointJacobians(model, data, q)
    rows = []
    for i in links:
        j = pin.getJointJacobian(model, data, i, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        rows.append(np.vstack([j[3:], j[:3]]) @ t_inv)
    j = np.vstack(rows)
    m_g = t_inv.T @ m @ t_inv
    return {
        "mass": m_g,
        "bias": t_inv.T @ b - m_g @ t_dot @ v,
        "aba": t @ a + t_dot @ v,
        "jacobian": j,
        "delassus": j @ (t @ m_inv @ t.T) @ j.T,
    }, q_g, v_g, t_inv.T @ tau


def run_rust(path):
    command = ["cargo", "run", "-q", "--release", "-p", "gudgeon-multibody", "--example", "peer_check", "--", str(path)]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    results, times = [], {}
    for line in text.splitlines():
        name, *rest = line.split()
        if name == "time":
            times[rest[0]] = float(rest[1])
        elif name == "state":
            results.append({})
        else:
            results[-1][name] = np.array([float(x) for x in rest])
    return results, times


def check(name, model, rng):
    data = model.createData()
    links = [i for i in range(1, model.njoints) if i >= model.njoints - 4]
    path = OUT / f"{name}.txt"
    expected = []
    with open(path, "w") as file:
        write_model(file, model)
        file.write(f"links {len(links)} {' '.join(map(str, links))}\n")
        for _ in range(STATES):
            q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
            v, tau = rng.uniform(-1, 1, model.nv), rng.uniform(-10, 10, model.nv)
            answer, q_g, v_g, tau_g = reference(model, data, q, v, tau, links)
            expected.append(answer)
            file.write(f"state {numbers(q_g)} {numbers(v_g)} {numbers(tau_g)}\n")
    found, _ = run_rust(path)
    worst = {}
    for answer, ours in zip(expected, found, strict=True):
        for key, value in answer.items():
            error = np.abs(ours[key] - value.ravel()).max() / np.abs(value).max()
            worst[key] = max(worst.get(key, 0.0), error)
    print(f"{name:8} nv {model.nv:3}  " + "  ".join(f"{k} {e:.1e}" for k, e in worst.items()))
    return max(worst.values())


def pin_time(call, repeats=200, rounds=25):
    best = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        best.append((time.perf_counter() - start) / repeats)
    return sorted(best)[len(best) // 2]


def timing(name, model, rng, overhead):
    data = model.createData()
    q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    v, tau = rng.uniform(-1, 1, model.nv), rng.uniform(-10, 10, model.nv)
    path = OUT / f"{name}-timing.txt"
    _, q_g, v_g, tau_g = reference(model, data, q, v, tau, [model.njoints - 1])
    with open(path, "w") as file:
        write_model(file, model)
        file.write(f"links 1 {model.njoints - 1}\n")
        file.write(f"state {numbers(q_g)} {numbers(v_g)} {numbers(tau_g)}\n")
        file.write("time\n")
    ratios = []
    for _ in range(3):
        _, ours = run_rust(path)
        theirs = {
            "aba": pin_time(lambda: pin.aba(model, data, q, v, tau)),
            "rnea": pin_time(lambda: pin.rnea(model, data, q, v, tau)),
            "crba": pin_time(lambda: pin.crba(model, data, q)),
        }
        ratios.append({k: ((theirs[k] - overhead) / ours[k], theirs[k] / ours[k]) for k in theirs})
    median = {k: sorted(r[k] for r in ratios)[1] for k in ratios[0]}
    print(f"{name:8} nv {model.nv:3}  " + "  ".join(f"{k} {a:.2f} ({b:.2f})" for k, (a, b) in median.items()))
    return median["aba"][0]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    models = dict(robot_models())
    print(f"Pinocchio {pin.__version__}; worst difference over {STATES} states, relative to the largest entry")
    worst = max(check(name, model, rng) for name, model in models.items())

    # the cost of a call from Python: the shortest model there is
    tiny = chain(1)
    data, one = tiny.createData(), np.zeros(1)
    overhead = pin_time(lambda: pin.aba(tiny, data, one, one, one))
    print("speed: Pinocchio's time over Gudgeon's, net of the cost of a Python call (and gross); above 1 Gudgeon is faster")
    print(f"a Python call with a one-joint model takes {overhead * 1e6:.1f} us and is taken off")
    for n in (10, 30, 100):
        timing(f"chain{n}", chain(n), rng, overhead)
    timing("talos", models["talos"], rng, overhead)
    if worst > TOLERANCE:
        sys.exit(f"worst difference {worst:.1e} exceeds {TOLERANCE}")


main()
