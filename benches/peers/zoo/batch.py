#!/usr/bin/env python3
"""Batches beside MuJoCo's `rollout`: 1,024 copies of a humanoid on two threads, processor time, both engines in one run.

    python3 benches/peers/zoo/batch.py [--copies 1024] [--threads 2] [--steps 200] [--rounds 3] [MODEL ...]

Without models: Gymnasium's humanoid and the ragdoll of benches/peers/python. Both engines start every copy at the model's own state with
the same joint rates, step at 2 ms without control, and take turns; the best round of each counts. Ours by the example `batch` of
gudgeon-model, which goes the way `gudgeon.rollout` does; theirs by `mujoco.rollout` with as many threads.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from environment import MODELS, ROOT

import mujoco  # after the environment is entered
import numpy as np
from mujoco import rollout

DT, SPEED = 2e-3, 1.0


def ours(program, file, args):
    ask = {"file": str(file), "dt": DT, "copies": args.copies, "threads": args.threads, "steps": args.steps, "speed": SPEED}
    told = subprocess.run([program], input=json.dumps(ask) + "\n", capture_output=True, text=True, check=True).stdout
    return json.loads(told)


def theirs(file, args):
    """Microseconds per step of a copy: of the processor, and by the clock."""
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.timestep = DT
    start = mujoco.MjData(model)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    x0 = np.zeros((args.copies, size))
    for copy in range(args.copies):
        mujoco.mj_resetData(model, start)
        start.qvel[6:] = SPEED * np.sin(12.9898 * (copy * model.nv + np.arange(6, model.nv)))
        mujoco.mj_getState(model, start, x0[copy], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    data = [mujoco.MjData(model) for _ in range(args.threads)]
    cpu, clock = time.process_time(), time.perf_counter()
    rollout.rollout(model, data, x0, nstep=args.steps)
    per = 1e6 / (args.copies * args.steps)
    return per * (time.process_time() - cpu), per * (time.perf_counter() - clock)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--copies", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/examples/batch")
    args = parser.parse_args()
    if not args.program.exists():
        subprocess.run(["cargo", "build", "--release", "-p", "gudgeon-model", "--example", "batch"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        if not args.models:
            sys.path.insert(0, str(ROOT / "benches/peers/python"))
            import humanoid

            ragdoll = Path(folder) / "ragdoll.xml"
            ragdoll.write_text(humanoid.mjcf())
            args.models = [MODELS / "gymnasium/gymnasium/envs/mujoco/assets/humanoid.xml", ragdoll]
        print(f"{args.copies} copies, {args.threads} threads, {args.steps} steps of {1e3 * DT:g} ms; us of the processor per step of a copy (by the clock)")
        for file in args.models:
            told, peer = [], []
            for _ in range(args.rounds):
                told.append(ours(args.program, file, args))
                peer.append(theirs(file, args))
            best = min(told, key=lambda t: t["us"])
            us, clock = min(peer)
            print(f"{file.stem}: ours {best['us']:.2f} ({best['clock_us']:.2f}), MuJoCo {us:.2f} ({clock:.2f}), "
                  f"{us / best['us']:.2f} times MuJoCo's throughput; {best['contacts']:.1f} contacts, {best['fallbacks']} fallbacks, {best['failed']} failed")


if __name__ == "__main__":
    main()
