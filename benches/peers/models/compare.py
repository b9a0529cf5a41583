#!/usr/bin/env python3
"""Gudgeon's readers against MuJoCo (MJCF) and Pinocchio (URDF), file by file, on the models of PyPI packages.

    python3 benches/peers/models/compare.py [--only WORD] [--random]

MJCF: every file of mujoco, dm_control and gymnasium that MuJoCo itself loads. URDF: every file of example-robot-data and
of pybullet's data (with --random also its 1,000 random ones). Compared: number of joints and dofs; mass, centre of mass and
inertia of every body; pose of every body at random configurations.

Writes the tables in Markdown to out/peers/models/RESULTS.md and to the standard output.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from environment import OUT, SHARE, SITE, build

import mujoco  # after the environment is entered
import numpy as np
import pinocchio as pin

TOLERANCE = 1e-6
CONFIGURATIONS = 5


class Gudgeon:
    """The example `model_facts`, kept running: an object in, an object out."""

    def __init__(self, profile):
        program = build("gudgeon-model", "--example", "model_facts", profile=profile) / "examples" / "model_facts"
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cpu(self):
        """Seconds of processor time so far, to a hundredth: what other programs do to the clock does not count."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, **question):
        before = self.cpu()
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer | {"seconds": self.cpu() - before}


def unit_quaternion(rng):
    v = rng.normal(size=4)
    return v / np.linalg.norm(v)


def difference(mass, com, inertia, body):
    """Largest difference of two bodies: mass and inertia relative, centre in metres."""
    ours = np.array(body["inertia"])
    scale = max(abs(inertia).max(), 1e-12)
    worst = abs(inertia - ours).max() / scale if scale > 1e-12 else 0.0
    if mass > 1e-12:
        worst = max(worst, abs(mass - body["mass"]) / mass, abs(com - np.array(body["com"])).max())
    else:
        worst = max(worst, abs(body["mass"]))
    return worst


def judge(facts, joints, dof, masses, kinematics, mass):
    """The cells of a row, and whether all is equal."""
    n_joints = len(facts["joints"])
    good = n_joints == joints and facts["dof"] == dof and masses <= TOLERANCE and kinematics <= TOLERANCE
    warnings = [f["what"] for f in facts["findings"] if f["severity"] == "warning" and "overlap" not in f["what"]]
    changed = [w for w in warnings if "raised to" in w or "without mass" in w or "negative" in w]
    verdict = "equal" if good else ("reported: " + changed[0] if changed else "DIFFERS")
    cells = [verdict, n_joints, facts["dof"], f"{mass:.6g}", f"{masses:.0e}", f"{kinematics:.0e}", f"{1e3 * facts['seconds']:.0f}"]
    report = facts["report"]
    return cells + [report["used"], report["approximated"], report["ignored"]], good, bool(changed)


def mjcf(gudgeon, path, rng):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    theirs, ours = [], []
    for _ in range(CONFIGURATIONS):
        q, values = model.qpos0.copy(), []
        for j in range(model.njnt):
            a, kind = model.jnt_qposadr[j], model.jnt_type[j]
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                turn, place = unit_quaternion(rng), rng.normal(size=3)
                q[a : a + 7] = [*place, *turn]
                values.append([*turn, *place])
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                turn = unit_quaternion(rng)
                q[a : a + 4] = turn
                values.append(list(turn))
            else:
                q[a] = rng.uniform(-1, 1)
                values.append([float(q[a])])
        theirs.append(q)
        ours.append(values)
    facts = gudgeon.ask(file=str(path), q=ours, search=[str(SITE)])
    if "error" in facts:
        return facts, None
    masses = kinematics = 0.0
    if len(facts["bodies"]) != model.nbody - 1:
        return {"error": f"{len(facts['bodies'])} bodies, MuJoCo has {model.nbody - 1}"}, None
    for k, body in enumerate(facts["bodies"], 1):
        r = np.zeros(9)
        mujoco.mju_quat2Mat(r, model.body_iquat[k])
        r = r.reshape(3, 3)
        inertia = r @ np.diag(model.body_inertia[k]) @ r.T
        masses = max(masses, difference(model.body_mass[k], model.body_ipos[k], inertia, body))
    for q, poses in zip(theirs, facts["poses"]):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        for k, body in enumerate(poses, 1):
            turn = abs(data.xmat[k].reshape(3, 3) - np.array(body["rotation"])).max()
            kinematics = max(kinematics, abs(data.xpos[k] - body["position"]).max(), turn)
    return facts, judge(facts, model.njnt, model.nv, masses, kinematics, model.body_mass[1:].sum())


def coordinates(joint, q, rng):
    """Random coordinates of a Pinocchio joint into q; Gudgeon's for the same place."""
    a, kind = joint.idx_q, joint.shortname()
    if joint.nq == 1:
        q[a] = rng.uniform(-1, 1)
        return [float(q[a])]
    if joint.nq == 2:
        angle = rng.uniform(-3, 3)
        q[a : a + 2] = [np.cos(angle), np.sin(angle)]
        return [angle]
    if joint.nq == 4 and "Planar" in kind:
        angle, place = rng.uniform(-3, 3), rng.normal(size=2)
        q[a : a + 4] = [*place, np.cos(angle), np.sin(angle)]
        return [*place, angle]
    turn = unit_quaternion(rng)  # x y z w
    if joint.nq == 4:
        q[a : a + 4] = turn
        return [turn[3], *turn[:3]]
    place = rng.normal(size=3)
    q[a : a + 7] = [*place, *turn]
    return [turn[3], *turn[:3], *place]


def urdf(gudgeon, path, rng, roots=()):
    question = dict(file=str(path), base="fixed", search=[str(SHARE), str(path.parent), *roots])
    try:
        model = pin.buildModelFromUrdf(str(path))
    except Exception as error:  # Pinocchio's parser throws plain ones
        facts = gudgeon.ask(meshes=False, **question)
        return facts, str(error).splitlines()[0]
    data = model.createData()
    order = gudgeon.ask(meshes=False, **question)
    if "error" in order:
        return order, None
    theirs, ours = [], []
    for _ in range(CONFIGURATIONS):
        q, values = pin.neutral(model), {}
        for k in range(1, model.njoints):
            values[model.names[k]] = coordinates(model.joints[k], q, rng)
        theirs.append(q)
        ours.append([values.get(j["name"], [0.0]) for j in order["joints"]])
    facts = gudgeon.ask(meshes=True, q=ours, **question)
    missing = "not found" in facts.get("error", "")
    if missing:  # the package lacks a mesh that its file names: an error here, and no matter for Pinocchio
        facts = gudgeon.ask(meshes=False, q=ours, **question)
    if "error" in facts:
        return facts, None
    masses = kinematics = 0.0
    lumps = [pin.Inertia.Zero() for _ in range(model.njoints)]
    for body in facts["bodies"]:
        frame = model.frames[model.getFrameId(body["name"], pin.FrameType.BODY)]
        own = pin.Inertia(body["mass"], np.array(body["com"]), np.array(body["inertia"]))
        lumps[frame.parentJoint] = lumps[frame.parentJoint] + frame.placement.act(own)
    for k in range(1, model.njoints):
        a, b = model.inertias[k], lumps[k]
        body = {"mass": b.mass, "com": b.lever, "inertia": b.inertia}
        masses = max(masses, difference(a.mass, a.lever, a.inertia, body))
    for q, poses in zip(theirs, facts["poses"]):
        pin.framesForwardKinematics(model, data, q)
        for body in poses:
            place = data.oMf[model.getFrameId(body["name"], pin.FrameType.BODY)]
            turn = abs(place.rotation - np.array(body["rotation"])).max()
            kinematics = max(kinematics, abs(place.translation - np.array(body["position"])).max(), turn)
    mass = sum(i.mass for i in model.inertias[1:])
    cells, good, changed = judge(facts, model.njoints - 1, model.nv, masses, kinematics, mass)
    if missing:
        cells[0] += " (without meshes: the package lacks some)"
    return facts, (cells, good, changed)


HEAD = ["file", "against the peer", "joints", "dofs", "kg", "masses", "kinematics", "CPU ms", "used", "approx.", "ignored"]


def table(title, rows, out):
    out.append(f"\n## {title}\n")
    out.append("| " + " | ".join(HEAD) + " |")
    out.append("|" + "---|" * len(HEAD))
    out.extend("| " + " | ".join(str(c) for c in row) + " |" for row in rows)


def section(title, files, compare, gudgeon, base, out, show):
    rng = np.random.default_rng(1)
    rows, count = [], {"equal": 0, "reported": 0, "differs": 0, "refused": 0, "refused by both": 0, "only ours": 0}
    for path in files:
        facts, verdict = compare(gudgeon, path, rng)
        name = str(path.relative_to(base))
        if "error" in facts:
            both = isinstance(verdict, str)
            count["refused by both" if both else "refused"] += 1
            reason = facts["error"].replace(str(base) + "/", "").replace(str(path.parent) + "/", "")
            rows.append([name, ("both refuse: " if both else "REFUSED: ") + reason.replace("|", "/")[-120:]] + [""] * 9)
        elif isinstance(verdict, str):
            count["only ours"] += 1
            rows.append([name, "the peer refuses", len(facts["joints"]), facts["dof"]] + [""] * 7)
        else:
            cells, good, changed = verdict
            count["equal" if good else "reported" if changed else "differs"] += 1
            rows.append([name, *cells])
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    summary = ", ".join(f"{n} {what}" for what, n in count.items() if n)
    out.append(f"\n**{title}: {len(files)} files: {summary}.**")
    if show:
        table(title, rows, out)


def chain(gudgeon, out):
    """A thousand links in a row."""
    link = '<body pos="0.1 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>'
    text = "<mujoco><worldbody>" + link * 1000 + "</body>" * 1000 + "</worldbody></mujoco>"
    path = OUT / "chain1000.xml"
    path.write_text(text)
    try:
        peer = f"{mujoco.MjModel.from_xml_path(str(path)).nv} dofs"
    except Exception as error:
        peer = "refuses: " + " ".join(str(error).split())[:80]
    facts = gudgeon.ask(file=str(path))
    ours = facts.get("error") or f"{facts['dof']} dofs in {1e3 * facts['seconds']:.0f} ms of processor time"
    out.append(f"\n**A chain of 1,000 links:** {ours}; MuJoCo {mujoco.__version__}: {peer}.")


def largest(gudgeon, files, out):
    worst = max((gudgeon.ask(file=str(f), meshes=False, search=[str(SHARE), str(SITE)]) for f in files), key=lambda r: r["seconds"])
    name = Path(worst["file"]).name
    out.append(f"\n**Longest load without meshes:** {name}, {1e3 * worst['seconds']:.0f} ms of processor time ({worst.get('dof')} dofs).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="files whose name has this word")
    parser.add_argument("--random", action="store_true", help="also pybullet's 1,000 random URDFs")
    parser.add_argument("--profile", default="release", choices=["release", "debug"])
    options = parser.parse_args()
    os.chdir(OUT)  # MuJoCo writes its warnings into a file where it stands
    pin_version, out = pin.__version__, ["# Model files against MuJoCo and Pinocchio"]
    out.append(f"\nMuJoCo {mujoco.__version__}, Pinocchio {pin_version}; differences relative for masses and inertias, m or 1 for places.")
    gudgeon = Gudgeon(options.profile)
    wanted = lambda files: [f for f in sorted(files) if options.only in str(f)]  # noqa: E731
    xml = []
    for package in ("mujoco", "dm_control", "gymnasium"):
        for path in wanted((SITE / package).rglob("*.xml")):
            try:
                mujoco.MjModel.from_xml_path(str(path))
                xml.append(path)
            except Exception:
                pass
    section("MJCF that MuJoCo loads", xml, mjcf, gudgeon, SITE, out, True)
    data = [f for f in (SITE / "pybullet_data").rglob("*.urdf") if "random_urdfs" not in f.parts]
    robots = wanted((SHARE / "example-robot-data").rglob("*.urdf"))
    section("URDF of example-robot-data", robots, urdf, gudgeon, SHARE, out, True)
    section("URDF of pybullet", wanted(data), urdf, gudgeon, SITE, out, True)
    if options.random:
        files = wanted((SITE / "pybullet_data" / "random_urdfs").rglob("*.urdf"))
        section("random URDF of pybullet", files, urdf, gudgeon, SITE, out, False)
    chain(gudgeon, out)
    largest(gudgeon, xml + robots, out)
    (OUT / "RESULTS.md").write_text("\n".join(out) + "\n")
    print("\n".join(out))


if __name__ == "__main__":
    main()
