#!/usr/bin/env python3
"""The hoist beside MuJoCo: the same links, joints, rod, winch and load, processor time per step, one run.

    benches/peers/hoist/compare.py [--steps 3000] [--rounds 3]

Wants `cargo build --release -p gudgeon-cli` done and MuJoCo; sets up an environment of its own under target/ unless
GUDGEON_PEERS_VENV names one. Engines take turns; the best round of each counts. MuJoCo runs with its elliptic cones, its
Newton solver and the integrator that survives here: with its default one the string blows up after 7 ms.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENV = Path(os.environ.get("GUDGEON_PEERS_VENV", ROOT / "target" / "peers-hoist"))
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, ["mujoco"])
import mujoco  # noqa: E402

# as in crates/sim/src/scenes/strings.rs
LENGTH, WIDTH, THICK, LINKS, WRAP = 0.04, 0.012, 0.005, 25, 14
MASS, LOAD, SPEED, FRICTION, STEP = 0.02, 0.5, 0.012, 0.2, 1e-3


def scene(hinges):
    turn = math.pi / WRAP
    apothem = 0.5 * LENGTH / math.tan(0.5 * turn)
    hanging = (LINKS - WRAP - 1) // 2
    joint = '<joint type="hinge" axis="0 1 0"/>' if hinges else '<joint type="ball"/>'
    open_tags = ""
    for k in range(LINKS):
        bent = hanging <= k - 1 < hanging + WRAP
        quat = f'quat="{math.cos(turn / 2)} 0 {math.sin(turn / 2)} 0"' if bent else ""
        pos = f"{-apothem} 0 {-LENGTH * (hanging + 0.5)}" if k == 0 else f"0 0 {LENGTH}"
        own = '<joint name="winch" type="slide" axis="0 0 -1"/>' if k == 0 else joint
        open_tags += f'<body pos="{pos}" {quat}>{own}<geom type="box" size="{THICK} {WIDTH} {0.48 * LENGTH}"'
        open_tags += f' pos="0 0 {0.5 * LENGTH}" mass="{MASS}"/>'
    weight = f'<geom type="sphere" size="0.03" pos="0 0 {LENGTH + 0.03}" mass="{LOAD}"/>'
    return f"""<mujoco><option timestep="{STEP}" cone="elliptic" integrator="implicitfast"/>
        <default><geom friction="{FRICTION} 0 0" condim="3"/></default>
        <worldbody><geom type="cylinder" size="{apothem - THICK} 0.1" euler="90 0 0"/>
        {open_tags}{weight}{"</body>" * LINKS}</worldbody>
        <actuator><velocity joint="winch" kv="1000"/></actuator></mujoco>"""


def theirs(hinges, steps):
    model = mujoco.MjModel.from_xml_string(scene(hinges))
    data = mujoco.MjData(model)
    data.ctrl[0] = SPEED
    began = time.process_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    spent = time.process_time() - began
    bad = sum(int(w.number) for w in data.warning)
    depth = max((-c.dist for c in data.contact[: data.ncon]), default=0.0)
    return 1e6 * spent / steps, data.ncon, bad, max(depth, 0.0)


def ours(hinges, steps):
    gudgeon = ROOT / "target" / "release" / "gudgeon"
    command = [gudgeon, "sim", "hoist", "--set", f"hinges={int(hinges)}", "--json"]
    spent = []
    # the start of the program is in both runs
    for duration in (STEP, steps * STEP):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run([*command, "--duration", str(duration)], check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1e6 * (spent[1] - spent[0]) / (steps - 1), json.loads(out.stdout)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--steps", type=int, default=3000)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    print(f"{'joints':10} {'Gudgeon us':>11} {'MuJoCo us':>10} {'ratio':>6}  overlap in the end, theirs; most, ours, m")
    for hinges in (False, True):
        best = [math.inf, math.inf]
        for _ in range(given.rounds):
            micros, summary = ours(hinges, given.steps)
            best[0] = min(best[0], micros)
            micros, _, bad, depth = theirs(hinges, given.steps)
            best[1] = min(best[1], micros)
        name = "hinges" if hinges else "spherical"
        note = f", {bad} warnings" if bad else ""
        overlap = summary["max_penetration"]
        print(f"{name:10} {best[0]:11.0f} {best[1]:10.0f} {best[0] / best[1]:6.2f}  {depth:.1e}{note}; {overlap:.1e}")


if __name__ == "__main__":
    main()
