"""Runs every scene on every engine, keeps what came of it, and writes docs/scoreboard.json. Called by `run`.

    board.py [--engines NAME ..] [--scenes NAME ..] [--again] [--jobs 2] [--list]

Every run is a process of its own, ended when its steps have taken more processor time than the scene's patience. Two go side by side, one on
each of two cores; times are processor times. `--again` forgets the chosen runs first. Where engines or scenes are chosen, the board of
what was chosen goes to target/scoreboard/part.json, and docs/scoreboard.json, which has all, is left as it is.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OUT = ROOT / "target" / "scoreboard"
KEPT = OUT / "results"
PACKAGES = {"gudgeon": "gudgeon", "mujoco": "mujoco", "drake": "drake", "dart": "dartpy", "bullet": "pybullet", "pinocchio": "pin"}


def version(engine):
    name = engine.split("-")[0]
    if name == "rapier":
        lock = (HERE / "rapier" / "Cargo.lock").read_text().split('name = "rapier3d-f64"\nversion = "')
        return lock[1].split('"')[0]
    return importlib.metadata.version(PACKAGES[name])


def machine():
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return models[0] if models else platform.processor()


def one(engine, scene, said, what):
    """The kept result, or a new one; and whether it is new."""
    kept, path, patience = current(engine, scene, said, what), KEPT / engine / f"{scene}.json", what["patience"]
    if kept:
        return kept, False
    command = [sys.executable, str(HERE / "worker.py"), engine, scene, str(patience)]
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}
    try:
        # making a world and reading it takes time besides its steps
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * patience + 60, env={**os.environ, **threads})
        result = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        result = {"error": None, "note": f"not done in {patience:.0f} s", "us_per_step": None, "steps": 0}
    except (IndexError, json.JSONDecodeError):
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        result = {"error": 1.0, "note": f"died: {last}"[:200], "us_per_step": None, "steps": 0}
    result |= {"engine": engine, "scene": scene, **key(said, what)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result))
    return result, True


def main():
    sys.path.insert(0, str(HERE))
    import worker
    from scenes import SCENES

    parser = argparse.ArgumentParser()
    parser.add_argument("--engines", nargs="*")
    parser.add_argument("--scenes", nargs="*")
    parser.add_argument("--again", action="store_true", help="forgets the chosen runs first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    found, missing = worker.engines()
    for name, why in missing.items():
        print(f"left out: {name} ({why})", file=sys.stderr)
    if args.list:
        for name, (_, _, said) in found.items():
            print(f"{name:18} {said}")
        for name, s in SCENES.items():
            print(f"{name:18} {s['about']} ({s['unit']})")
        return
    engines = [e for e in found if not args.engines or e in args.engines]
    scenes = [s for s in SCENES if not args.scenes or s in args.scenes]
    pairs = [(e, s) for s in scenes for e in engines]
    if args.again:
        for e, s in pairs:
            (KEPT / e / f"{s}.json").unlink(missing_ok=True)
    began, count = time.time(), 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for result, new in pool.map(lambda pair: one(*pair, found[pair[0]][2], SCENES[pair[1]]), pairs):
            count += 1
            if new:
                error = "      -" if result["error"] is None else f"{result['error']:.1e}"
                cost = "-" if result["us_per_step"] is None else f"{result['us_per_step']:.1f}"
                print(f"{count:4}/{len(pairs)} {time.time() - began:5.0f} s  {result['scene']:18} {result['engine']:16} {error:>8} {cost:>10} us  "
                      f"{result['note'] or ''}", flush=True)
    if args.engines or args.scenes:
        part = OUT / "part.json"
        write({e: found[e] for e in engines}, {s: SCENES[s] for s in scenes}, part)
        print(f"a part of the board: {part}; docs/scoreboard.json is left as it is", file=sys.stderr)
    else:
        write(found, SCENES, ROOT / "docs" / "scoreboard.json")


def current(engine, scene, said, what):
    """What was kept of a run, if it is of today's scene and settings."""
    path = KEPT / engine / f"{scene}.json"
    kept = json.loads(path.read_text()) if path.exists() else {}
    return kept if all(kept.get(name) == value for name, value in key(said, what).items()) else None


def key(said, what):
    return {"settings": said, "about": what["about"], "patience": what["patience"]}


def write(found, scenes, path):
    """The scenes that all chosen engines have run, and those engines."""
    kept = {(e, s): current(e, s, found[e][2], what) for e in found for s, what in scenes.items()}
    scenes, ran = {s: what for s, what in scenes.items() if all(kept[e, s] for e in found)}, list(found)
    results = []
    for s in scenes:
        for e in ran:
            r = kept[e, s]
            # three digits of an error, four of a time: more mean nothing
            error = None if r["error"] is None else float(f"{r['error']:.2e}")
            cost = None if r["us_per_step"] is None else float(f"{r['us_per_step']:.3e}")
            results.append({"scene": s, "engine": e, "error": error, "us_per_step": cost, "note": r["note"]})
    board = {
        "machine": machine(),
        "engines": [{"name": e, "version": version(e), "settings": found[e][2]} for e in ran],
        "scenes": [{"name": name, "about": s["about"], "unit": s["unit"], "patience": s["patience"]} for name, s in scenes.items()],
        "results": results,
    }
    lines = json.dumps(board, indent=1, ensure_ascii=False).replace("\n   ", " ").replace("\n  }", " }")
    path.write_text(lines + "\n")


if __name__ == "__main__":
    main()
