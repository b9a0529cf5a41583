#!/usr/bin/env python3
"""Steps per second of a pushing scene on one and two threads beside MuJoCo's, one run: a finger pushes a box about on a table.

    benches/peers/python/pushing.py [--copies 512] [--steps 200] [--rounds 5]

Both read the same file and get the same forces; engines take turns, the best round counts. Processor time is beside the clock,
for machines with other work.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import environment  # noqa: E402

environment.enter()
import mujoco  # noqa: E402
import mujoco.rollout  # noqa: E402
import numpy as np  # noqa: E402

import gudgeon  # noqa: E402

SCENE = """
<mujoco>
  <option timestep="0.002" cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1" friction="0.5"/>
    <body name="box" pos="0 0 0.05">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.05" mass="1" friction="0.5"/>
    </body>
    <body name="finger" pos="-0.2 0 0.06">
      <joint name="x" type="slide" axis="1 0 0" damping="5"/>
      <joint name="y" type="slide" axis="0 1 0" damping="5"/>
      <geom type="sphere" size="0.03" mass="0.5" friction="0.5"/>
    </body>
  </worldbody>
  <actuator><motor joint="x"/><motor joint="y"/></actuator>
</mujoco>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=512)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pushing.xml"
        path.write_text(SCENE)
        ours, theirs = gudgeon.Model.load(path), mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(0)
    forces = rng.uniform([2.0, -3.0], [12.0, 3.0], (args.copies, 1, 2)).repeat(args.steps, axis=1)
    data = mujoco.MjData(theirs)
    size = mujoco.mj_stateSize(theirs, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.empty(size)
    mujoco.mj_getState(theirs, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.tile(start, (args.copies, 1))

    def run_ours(threads):
        done = gudgeon.rollout(ours, u=forces, drive="controllers", threads=threads, returns=())
        return float(done.contacts.mean())

    def run_theirs(threads):
        pool = [mujoco.MjData(theirs) for _ in range(threads)]
        states, _ = mujoco.rollout.rollout(theirs, pool, start, forces)
        return float(np.abs(states[:, -1]).max())

    best = {}
    for _ in range(args.rounds):
        for threads in (1, 2):
            for name, run in [("Gudgeon", run_ours), ("MuJoCo", run_theirs)]:
                wall, spent = time.perf_counter(), time.process_time()
                run(threads)
                took = (time.perf_counter() - wall, time.process_time() - spent)
                last = best.get((name, threads), (np.inf, np.inf))
                best[name, threads] = (min(last[0], took[0]), min(last[1], took[1]))
    total = args.copies * args.steps
    print(f"{args.copies} copies of {args.steps} steps, {run_ours(2):.2f} contacts in the mean; steps per second")
    print("| engine | threads | by the clock | by processor time |\n|---|---|---|---|")
    for (name, threads), (wall, spent) in sorted(best.items(), key=lambda item: (item[0][1], item[0][0])):
        print(f"| {name} | {threads} | {total / wall:,.0f} | {total / spent:,.0f} |")


main()
