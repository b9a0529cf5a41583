#!/usr/bin/env python3
"""The step beside MuJoCo's, robot by robot: processor time, both engines in one run.

    python3 benches/peers/zoo/speed.py [--list FILE] [--only WORD] [--steps 500] [--hulls] [--out FILE.csv]

The models are those of the zoo (`environment.py` fetches them), or of a list of paths. Each is loaded by both engines, stepped at 2 ms from its own start for
`--steps` steps, first by one and then by the other, by the example `step_times` of gudgeon-model and by `mj_step` with
`nstep` (no call of Python per step). Times are of the processor, not of the clock. MuJoCo keeps the options of the file
but for the time step.

Prints a row per model, then the figures asked for: quartiles of the ratio, the worst, robots slower than real time on
one core, and the share of collision where nothing touches.
"""
import argparse
import csv
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

from environment import HERE, ROOT, find

import mujoco  # after the environment is entered

DT = 2e-3
COLUMNS = ["model", "dofs", "colliders", "contacts", "fallbacks", "us", "mujoco_us", "ratio", "median_us", "worst_us",
           "collide_us", "solve_us", "load_s", "hash", "message"]


class Gudgeon:
    """The example `step_times`, kept running: an object in, an object out."""

    def __init__(self, program):
        self.program, self.process = program, None

    def ask(self, seconds, **question):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        self.process.wait()
        self.process = None
        return {"error": "no answer in time" if not ready else "the process ended"}


def step_mujoco(file, steps):
    """Microseconds of processor time per step, or why not."""
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
        data = mujoco.MjData(model)
        model.opt.timestep = DT
        mujoco.mj_step(model, data, nstep=20)
        began = time.process_time()
        done = 0
        while done < steps and time.process_time() - began < 20:
            n = min(50, steps - done)
            mujoco.mj_step(model, data, nstep=n)
            done += n
        return 1e6 * (time.process_time() - began) / done, ""
    except Exception as error:  # whatever MuJoCo says of the file is the answer
        return None, "MuJoCo: " + str(error).splitlines()[0][:90]


def row_of(worker, file, name, args):
    ours = worker.ask(args.patience, file=str(file), dt=DT, steps=args.steps, warm=20, patience=args.patience / 3,
                      **({"hulls": True} if args.hulls else {}))
    row = {"model": name, "message": ours.get("error", "")[:120]}
    if "us" in ours:
        row |= {k: ours[k] for k in COLUMNS if k in ours}
        row["load_s"] = ours["load"]["cpu_s"]
    theirs, why = step_mujoco(file, args.steps)
    row["message"] = row["message"] or why
    if theirs:
        row["mujoco_us"] = theirs
        if "us" in row:
            row["ratio"] = row["us"] / theirs
    return {k: f"{v:.4g}" if isinstance(v, float) else v for k, v in row.items()}


def quantile(values, part):
    at = part * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def summary(rows):
    both = sorted((float(r["ratio"]), r["model"]) for r in rows if r.get("ratio") and int(r["dofs"]) > 0)
    ratios = [r for r, _ in both]
    if ratios:
        parts = ", ".join(f"{name} {quantile(ratios, p):.3g}" for name, p in
                          [("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75), ("ninth decile", 0.9)])
        print(f"\nratio to MuJoCo over {len(ratios)} robots: {parts}, worst {ratios[-1]:.3g} ({both[-1][1]})")
        print(f"above 10: {sum(r > 10 for r in ratios)}, above 2: {sum(r > 2 for r in ratios)}, at most 1: {sum(r <= 1 for r in ratios)}")
    ours = [r for r in rows if r.get("us")]
    slow = [r["model"] for r in ours if float(r["us"]) > 1e6 * DT]
    print(f"slower than real time at {1e3 * DT:g} ms: {len(slow)} of {len(ours)} {slow[:12]}")
    free = sorted(float(r["collide_us"]) / float(r["us"]) for r in ours if int(r["contacts"]) == 0 and float(r["us"]) > 0)
    if free:
        print(f"collision's share where nothing touches, {len(free)} robots: median {quantile(free, 0.5):.2g}, "
              f"ninth decile {quantile(free, 0.9):.2g}, worst {free[-1]:.2g}, above 0.2: {sum(f > 0.2 for f in free)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", type=Path, help="paths, one per line; the zoo otherwise")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="every so many models only")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for one model")
    parser.add_argument("--hulls", action="store_true", help="meshes as their convex hulls, as MuJoCo has them, whatever our default")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--program", type=Path, default=Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/examples/step_times")
    args = parser.parse_args()
    if not args.program.exists():
        subprocess.run(["cargo", "build", "--release", "-p", "gudgeon-model", "--example", "step_times"], cwd=ROOT, check=True)
    worker = Gudgeon(args.program)
    if args.list:
        files = [(line, Path(line)) for line in args.list.read_text().split()]
    else:
        files = [(name, path) for _, name, path in find(HERE / "models.txt") if path]
    files = [(name, path) for name, path in files if args.only in name]
    rows = []
    target = args.out.open("w") if args.out else sys.stdout
    out = csv.DictWriter(target, COLUMNS, extrasaction="ignore")
    out.writeheader()
    for name, path in files[:: args.every]:
        row = row_of(worker, path, name, args)
        rows.append(row)
        out.writerow(row)
        target.flush()
    summary(rows)


if __name__ == "__main__":
    main()
