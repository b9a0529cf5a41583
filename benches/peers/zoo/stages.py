#!/usr/bin/env python3
"""Where the microseconds of a step go, by stage: samples of the processor (Linux perf), grouped by module.

    python3 benches/peers/zoo/stages.py MODEL [MODEL ...] [--steps 20000] [--program FILE] [--instructions]

With `--instructions` thousands of instructions per step instead (callgrind, 200 steps), which do not know what else the machine does: what a
call of each stage costs with all that it calls. Each model is loaded and stepped at 2 ms by the example `step_times` under `perf record`; what was sampled while stepping
is grouped by the module the sampled function belongs to, and scaled to the processor time of a step.
"""
import argparse
import json
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STAGES = [
    ("flight: ABA", ("multibody::aba", "multibody::flight", "multibody::step", "multibody::free")),
    ("kinematics", ("multibody::kinematics", "multibody::joint", "multibody::integrate", "sincos", "sim::simulator::advance")),
    ("inertia and factor", ("multibody::crba", "multibody::ltl::take", "multibody::ltl::MassFactor::factor")),
    ("rows and whitening", ("multibody::rows", "multibody::delassus", "multibody::ltl", "gudgeon_contact", "multibody::passive")),
    ("loops", ("multibody::constraint",)),
    ("collision", ("gudgeon_collide", "sim::crew")),
    ("solver", ("gudgeon_lcp", "sim::solve")),
    ("energy guard", ("simulator::guard", "simulator::afford")),
    ("step itself", ("gudgeon_sim",)),
]


# what a stage is called as, and whether it is part of the one before it that is not
CALLS = [
    ("flight", "::fly", False), ("collision", "::touch", False), ("rows", "::assemble", False),
    ("of it inertia", "FreeVelocity::mass_matrix", True), ("of it factor", "MassFactor::factor", True),
    ("of it whitening", "Assembly::whiten", True), ("solver", "::solve_law", False),
    ("of it modes, few rows", "::by_modes", True), ("of it verdict", "Judge::natural", True),
    ("overlap undone", "Recovery::solve", False), ("loops closed", "ConstraintSolver::settle_with", False),
    ("energy", "::measure", False), ("actuators", "Drive::update", False),
]  # fmt: skip


def instructions(program, model, steps=200):
    """Thousands of instructions per step, by stage."""
    ask = json.dumps({"file": str(model), "steps": steps, "warm": 20, "patience": 600})
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "callgrind"
        run = ["valgrind", "--tool=callgrind", "--toggle-collect=*Simulator::step", f"--callgrind-out-file={data}", program]
        told = json.loads(subprocess.run(run, input=ask, capture_output=True, text=True, check=True).stdout)
        report = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", data]
        text = subprocess.run(report, capture_output=True, text=True, check=True).stdout
    counts = Counter()
    for number, symbol in re.findall(r"^ *([0-9,]+) \([^)]*\) +\S+?:(.*?)(?: \[.*)?$", text, re.M):
        for name, ending in [("whole", "Simulator::step"), *((name, ending) for name, ending, _ in CALLS)]:
            if symbol.strip().endswith(ending):
                # inlined parts are listed apart: the whole call is the largest
                counts[name] = max(counts[name], int(number.replace(",", "")))
    parts = {name: count / 1e3 / (steps + 20) for name, count in counts.items()}
    parts["rest"] = parts["whole"] - sum(parts.get(name, 0.0) for name, _, inside in CALLS if not inside)
    return told, parts


def stage_of(symbol):
    for name, words in STAGES:
        if any(word in symbol for word in words):
            return name
    return "copies, sorts, clocks"


def profile(program, model, steps):
    """Processor time per step and its parts in microseconds."""
    ask = json.dumps({"file": str(model), "steps": steps, "patience": 60})
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", "-g", "-o", data, program]
        told = json.loads(subprocess.run(record, input=ask, capture_output=True, text=True, check=True).stdout)
        report = ["perf", "script", "-i", data, "-F", "ip,sym"]
        text = subprocess.run(report, capture_output=True, text=True, check=True).stdout
    counts = Counter()
    for sample in text.strip().split("\n\n"):
        # a frame per line, innermost first; frame pointers are not kept, so only the first is sure
        frames = [line.strip().split(" ", 1)[-1] for line in sample.splitlines() if line.strip()]
        if frames:
            counts[stage_of(frames[0])] += 1
    load = told["load"]["cpu_s"]
    whole = sum(counts.values())
    stepping = 1e-6 * told["us"] * told["steps"]
    # what loading took lies in the collision crate and in copies; it is taken from them in proportion
    loading = whole * load / (load + stepping)
    for name in ("collision", "copies, sorts, clocks"):
        both = counts["collision"] + counts["copies, sorts, clocks"]
        counts[name] = max(0.0, counts[name] - loading * counts[name] / max(both, 1))
    scale = told["us"] / max(sum(counts.values()), 1)
    return told, {name: count * scale for name, count in counts.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/examples/step_times")
    parser.add_argument("--instructions", action="store_true", help="thousands of instructions in place of microseconds")
    args = parser.parse_args()
    if args.instructions:
        columns = [(f"{m.parent.name}/{m.stem}", *instructions(args.program, m)) for m in args.models]
        print("| thousands of instructions per step | " + " | ".join(name for name, _, _ in columns) + " |")
        print("|---|" + "---|" * len(columns))
        print("| dofs, contacts at most | " + " | ".join(f"{t['dofs']}, {t['contacts']}" for _, t, _ in columns) + " |")
        for name in [name for name, _, _ in CALLS] + ["rest", "whole"]:
            print(f"| {name} | " + " | ".join(f"{p.get(name, 0.0):.1f}" for _, _, p in columns) + " |")
        return
    names = [name for name, _ in STAGES] + ["copies, sorts, clocks"]
    columns = []
    for model in args.models:
        told, parts = profile(args.program, model, args.steps)
        columns.append((f"{model.parent.name}/{model.stem}", told, parts))
    print("| us per step | " + " | ".join(name for name, _, _ in columns) + " |")
    print("|---|" + "---|" * len(columns))
    print("| dofs, contacts at most | " + " | ".join(f"{t['dofs']}, {t['contacts']}" for _, t, _ in columns) + " |")
    for name in names:
        print(f"| {name} | " + " | ".join(f"{p.get(name, 0.0):.2f}" for _, _, p in columns) + " |")
    print("| whole | " + " | ".join(f"{t['us']:.1f}" for _, t, _ in columns) + " |")


if __name__ == "__main__":
    main()
