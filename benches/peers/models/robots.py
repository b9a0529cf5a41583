#!/usr/bin/env python3
"""Robots from the peers' packages, let go on the ground for 5 s at 1 ms, and what became of every solve.

    python3 benches/peers/models/robots.py [--only WORD] [--meshes] [--duration S] [--dump DIR]

Each robot starts from its initial state (a URDF on flat ground, at zero or the joint positions below; an MJCF at its
reference) with no control: it stands or falls. A row is clean if every solve was solved by the method asked for, no number became NaN and
loops stayed closed to 1e-9 m. The exit code is 0 if all rows are clean.

Writes the table in Markdown to out/peers/models/ROBOTS.md and to the standard output.
"""
import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from environment import OUT, ROOT, SHARE, SITE, build

DATA = SHARE / "example-robot-data" / "robots"
SUITE = SITE / "dm_control" / "suite"
GAP = 1e-9  # m, of loops

# kind, name, file, base of a URDF, joint positions
ROBOTS = [
    ("legged", "Solo12", DATA / "solo_description/robots/solo12.urdf", "free", {}),
    ("legged", "A1", DATA / "a1_description/urdf/a1.urdf", "free", {}),
    ("legged", "Go2", DATA / "go2_description/urdf/go2.urdf", "free", {}),
    ("legged", "ANYmal", DATA / "anymal_b_simple_description/robots/anymal.urdf", "free", {}),
    ("legged", "Bolt", DATA / "bolt_description/robots/bolt.urdf", "free", {}),
    ("legged, coupled toes", "quadruped", SUITE / "quadruped.xml", None, {}),
    ("humanoid", "Talos", DATA / "talos_data/robots/talos_reduced.urdf", "free", {}),
    ("humanoid", "dm suite", SUITE / "humanoid.xml", None, {}),
    ("humanoid, mimic", "Romeo", DATA / "romeo_description/urdf/romeo.urdf", "free", {}),
    ("arm", "UR5", DATA / "ur_description/urdf/ur5_robot.urdf", "fixed", {"shoulder_lift_joint": -1.0}),
    ("gripper, mimic", "Panda", DATA / "panda_description/urdf/panda.urdf", "fixed", {}),
    ("hand", "Allegro", DATA / "allegro_hand_description/urdf/allegro_right_hand.urdf", "free", {}),
    ("loop by equality", "four-bar", ROOT / "crates/model/tests/data/loop.xml", None, {}),
    ("coupled gripper", "manipulator", SUITE / "manipulator.xml", None, {}),
]
HEAD = ["kind", "robot", "dofs", "contacts mean, max", "solves", "failed", "fallback", "NaN", "overlap, m", "loop gap, m",
        "µs/step median, p99", "CPU s", "clean"]  # fmt: skip


def run(program, robot, options):
    kind, name, path, base, joints = robot
    reading = [word for folder in (SHARE, SITE) for word in ("--search", folder)]
    if base:  # a URDF, which has no ground
        reading += ["--base", base, *([] if options.meshes else ["--hulls"])]
        reading += [f"--joint={joint}={value}" for joint, value in joints.items()]
    command = [program, "sim", path, "--duration", str(options.duration), "--dt", "0.001", "--json", *reading]
    if base:
        command.append("--ground")
    if options.dump:
        command += ["--dump-failures", Path(options.dump) / name.replace(" ", "-")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answer = subprocess.run(command, capture_output=True, text=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if not answer.stdout.strip():
        reason = answer.stderr.strip().splitlines()[-1].replace("|", "/")
        broke = answer.returncode == 3  # a number that is none; 2 is a file that cannot be read
        return [kind, name, reason, *[""] * 4, "yes" if broke else "", *[""] * 4, "no"], False
    s = json.loads(answer.stdout)
    check = subprocess.run([program, "check", path, "--json", "--no-meshes", *reading], capture_output=True, text=True)
    dof = json.loads(check.stdout)["facts"]["dof"]
    contacts, micros, solves = s["contacts"], s["us_per_step"], s["solves"]
    failed = solves["total"] - solves["solved"]
    clean = failed == 0 and solves["fallback"] == 0 and s["max_loop_gap"] <= GAP
    return [
        kind, name, dof, f"{contacts['mean']:.1f}, {contacts['max']}", solves["total"], failed, solves["fallback"], "no",
        f"{s['max_penetration']:.1e}", f"{s['max_loop_gap']:.1e}", f"{micros['median']:.0f}, {micros['p99']:.0f}", f"{cpu:.1f}",
        "yes" if clean else "no",
    ], clean  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="robots whose kind or name has this word")
    parser.add_argument("--meshes", action="store_true", help="meshes of URDFs touch as they are, not as their hulls")
    parser.add_argument("--duration", type=float, default=5.0, help="simulated seconds")
    parser.add_argument("--dump", help="keep the problems of failed solves below this folder")
    parser.add_argument("--program", type=Path, help="a gudgeon that is built already")
    options = parser.parse_args()
    program = options.program or build("gudgeon-cli") / "gudgeon"
    touch = "meshes as they are" if options.meshes else "meshes of URDFs as hulls"
    lines = [f"## Robots, {options.duration:g} s at 1 ms, {touch}\n", "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    count = 0
    robots = [r for r in ROBOTS if options.only in f"{r[0]} {r[1]}"]
    for robot in robots:
        cells, clean = run(program, robot, options)
        count += clean
        lines.append("| " + " | ".join(str(c) for c in cells) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    lines.append(f"\n{count} of {len(robots)} clean.")
    (OUT / "ROBOTS.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    sys.exit(0 if count == len(robots) else 1)


main()
