#!/usr/bin/env python3
"""Sensors and accelerations of MJCF files at random states and controls, beside MuJoCo's.

    python3 benches/peers/zoo/compare.py [--only WORD] [--states N] [--program PROGRAM] [--all]

Files of the zoo with sensors or actuators (with --all every MJCF) are put into N random states: joints within their limits, velocities and controls
at random, activations too. Contacts and constraints are switched off in MuJoCo, so that accelerations are those of gravity,
inertia, springs, dampers, tendons, actuators and gravity compensation. Differences are relative to the largest number of the
same kind in the model, or to 1 where all are smaller. Prints a row for each file that differs by more than 1e-6 (sensors) or 1e-8
(accelerations), and the counts; COMPARE.csv has every file. Touch and range sensors are left out: they depend on contact and on pictures.
"""
import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

from environment import HERE, ZOO, build, find

import mujoco
import numpy as np

LEFT_OUT = {mujoco.mjtSensor.mjSENS_TOUCH, mujoco.mjtSensor.mjSENS_RANGEFINDER}


def random_state(m, d, rng):
    mujoco.mj_resetData(m, d)
    for j in range(m.njnt):
        a, v = m.jnt_qposadr[j], m.jnt_dofadr[j]
        kind = mujoco.mjtJoint(m.jnt_type[j])
        if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            lo, hi = m.jnt_range[j] if m.jnt_limited[j] else (-0.5, 0.5)
            d.qpos[a] = lo + (hi - lo) * rng.random()
            d.qvel[v] = rng.normal()
        else:
            wide = 7 if kind == mujoco.mjtJoint.mjJNT_FREE else 4
            turn = rng.normal(size=4)
            d.qpos[a + wide - 4 : a + wide] = turn / np.linalg.norm(turn)
            if wide == 7:
                d.qpos[a : a + 3] += rng.normal(size=3)
            d.qvel[v : v + wide - 1] = rng.normal(size=wide - 1)
    for k in range(m.nu):
        lo, hi = m.actuator_ctrlrange[k] if m.actuator_ctrllimited[k] else (-1.0, 1.0)
        d.ctrl[k] = lo + (hi - lo) * (1.2 * rng.random() - 0.1)
    d.act[:] = rng.random(m.na)


def peer(m, states, seed=1):
    d = mujoco.MjData(m)
    rng = np.random.default_rng(seed)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    asked, answers = [], []
    for _ in range(states):
        random_state(m, d, rng)
        asked.append({key: getattr(d, key).tolist() for key in ("qpos", "qvel", "ctrl", "act")})
        mujoco.mj_forward(m, d)
        answers.append((d.qacc.copy(), d.sensordata.copy()))
    return asked, answers


def compare(path, options, program):
    m = mujoco.MjModel.from_xml_path(str(path))
    if m.nv == 0 or (not options.all and m.nu + m.nsensor == 0):
        return None
    asked, answers = peer(m, options.states)
    text = "\n".join(json.dumps(a) for a in asked)
    run = subprocess.run([str(program), str(path), "--states"], input=text, capture_output=True, text=True, timeout=300)
    try:
        ours = json.loads(run.stdout.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return {"message": "ended: " + run.stderr[-200:]}
    if "error" in ours:
        return {"message": ours["error"]}
    if isinstance(ours["states"], dict):
        return {"message": ours["states"]["error"]}
    names = [s["name"] for s in ours["facts"]["sensors"]]
    offsets, at = {}, 0
    for s in ours["facts"]["sensors"]:
        offsets.setdefault(s["name"], []).append((at, s["width"]))
        at += s["width"]
    worst_a, worst_s, where = 0.0, 0.0, ""
    unread = 0
    for (qacc, sensors), state in zip(answers, ours["states"]):
        if "error" in state:
            return {"message": state["error"]}
        scale = max(1.0, np.abs(qacc).max())
        worst_a = max(worst_a, float(np.abs(np.array(state["qacc"]) - qacc).max() / scale))
        own = np.array(state["sensors"])
        taken = {name: 0 for name in offsets}
        unread = 0
        for k in range(m.nsensor):
            kind = mujoco.mjtSensor(m.sensor_type[k])
            name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_SENSOR, k) or ""
            if name not in offsets or taken[name] >= len(offsets[name]):
                unread += 1
                continue
            begin, width = offsets[name][taken[name]]
            taken[name] += 1
            if kind in LEFT_OUT:
                continue
            theirs = sensors[m.sensor_adr[k] : m.sensor_adr[k] + m.sensor_dim[k]]
            mine = own[begin : begin + width]
            if width != len(theirs):
                return {"message": f"sensor '{name}' gives {width} numbers, not {len(theirs)}"}
            gap = np.abs(mine - theirs).max()
            if kind in (mujoco.mjtSensor.mjSENS_FRAMEQUAT, mujoco.mjtSensor.mjSENS_BALLQUAT):
                gap = min(gap, np.abs(mine + theirs).max())  # a turn has two quaternions
            gap = float(gap / max(1.0, np.abs(theirs).max()))
            if gap > worst_s:
                worst_s, where = gap, f"{kind.name[7:]} '{name}'"
    return {"sensors": m.nsensor, "actuators": m.nu, "unread": unread, "qacc": worst_a, "sensor": worst_s, "where": where, "names": len(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose name has this word")
    parser.add_argument("--list", type=Path, default=HERE / "models.txt")
    parser.add_argument("--states", type=int, default=3, help="random states of each")
    parser.add_argument("--all", action="store_true", help="files without sensors and actuators too")
    parser.add_argument("--program", type=Path, help="a built example zoo of gudgeon-model")
    parser.add_argument("--out", type=Path, default=ZOO / "COMPARE.csv")
    options = parser.parse_args()
    program = (options.program or build()).resolve()
    rows = good_a = good_s = failed = 0
    with options.out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model", "sensors", "actuators", "unread", "qacc", "sensor", "where", "message"])
        for kind, name, path in find(options.list):
            if kind != "MJCF" or path is None or options.only not in name:
                continue
            try:
                row = compare(path, options, program)
            except (ValueError, subprocess.TimeoutExpired, mujoco.FatalError) as e:
                if "Error" not in str(e) and "error" not in str(e):
                    row = {"message": str(e)[:200]}
                else:
                    continue  # MuJoCo does not load it
            if row is None:
                continue
            rows += 1
            if "qacc" not in row:
                failed += 1
                print(f"{name} | {row['message'][:200]}", flush=True)
                writer.writerow([name, "", "", "", "", "", "", row["message"]])
                continue
            a, s = row["qacc"] <= 1e-8, row["sensor"] <= 1e-6 and row["unread"] == 0
            good_a, good_s = good_a + a, good_s + s
            writer.writerow([name, row["sensors"], row["actuators"], row["unread"], f"{row['qacc']:.2e}", f"{row['sensor']:.2e}", row["where"], ""])
            file.flush()
            if not (a and s):
                print(f"{name} | qacc {row['qacc']:.1e} | sensors {row['sensor']:.1e} {row['where']} | unread {row['unread']}", flush=True)
    print(f"{rows} files: accelerations to 1e-8 in {good_a}, sensors to 1e-6 in {good_s}, not loaded {failed}")
    sys.exit(0 if good_a == rows and good_s == rows else 1)


if __name__ == "__main__":
    main()
