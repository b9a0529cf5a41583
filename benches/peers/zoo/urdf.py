#!/usr/bin/env python3
"""The URDFs of the zoo beside Pinocchio: joints, dofs, mass, centre and inertia of every body, poses at random configurations.

    python3 benches/peers/zoo/urdf.py [--only WORD]

The comparison is that of `benches/peers/models/compare.py`, for the files that the zoo lists. A row is equal if all of it is, to 1e-6;
what Pinocchio loads and we do not is told apart from what neither loads. The exit code is 0 if nothing differs and nothing is refused.
"""
import argparse
import importlib.util
import subprocess
import sys
import types
from collections import Counter
from pathlib import Path

from environment import HERE, MODELS, ROOT, VENV, find

if importlib.util.find_spec("pinocchio") is None:
    subprocess.run([VENV / "bin" / "python", "-m", "pip", "install", "-q", "pin"], check=True)


def build(package, *rest, profile):
    subprocess.run(["cargo", "build", "-q", f"--{profile}", "-p", package, *rest], cwd=ROOT, check=True)
    return ROOT / "target" / profile


def comparison():
    """`compare.py` of the models, with our packages in place of its own."""
    places = dict(OUT=MODELS, SHARE=MODELS, SITE=MODELS, build=build)
    sys.modules["environment"] = types.SimpleNamespace(**places)
    file = HERE.parent / "models" / "compare.py"
    spec = importlib.util.spec_from_file_location("compare_models", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def roots(path):
    """Directories above a file, down from its package: where `package://` may start."""
    return [str(p) for p in path.parents if p.is_relative_to(MODELS) and p != MODELS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    compare = comparison()
    import numpy as np

    gudgeon, rng, counts = compare.Gudgeon("release"), np.random.default_rng(1), Counter()
    for kind, name, path in find(HERE / "models.txt"):
        if kind != "URDF" or path is None or options.only not in name:
            continue
        facts, row = compare.urdf(gudgeon, Path(path), rng, roots(path))
        if "error" in facts:
            word = "refused by both" if isinstance(row, str) else "REFUSED"
            line = [facts["error"][:200], row]
        elif isinstance(row, str):
            word, line = "refused by Pinocchio", [row[:200]]
        else:
            cells, good, changed = row
            word, line = ("equal" if good else "reported" if changed else "DIFFERS"), cells
        counts[word] += 1
        print(word, name, *line, sep=" | ", flush=True)
    print(", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    sys.exit(0 if not counts["DIFFERS"] and not counts["REFUSED"] else 1)


if __name__ == "__main__":
    main()
