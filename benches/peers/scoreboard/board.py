"""Runs every scene on every engine, keeps what came of it, and writes docs/scoreboard.json. Called by `run`.

    board.py [--engines NAME ..] [--scenes NAME ..] [--again] [--jobs 2] [--list]

Every run is a process of its own, ended when its steps have taken more processor time than the scene's patience, or all of it that and
half a minute more. Two go side by side, one on each of two cores; times are processor times. A run is kept under its settings and the
version of its engine, ours under what its library holds, so that a new build is run again and others are not. `--again` forgets the chosen
runs first. Where engines or scenes are chosen, the board of what was chosen goes to target/scoreboard/part.json, and
docs/scoreboard.json, which has all, is left as it is.
"""

import argparse
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import resource
import statistics
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

MEMORY = 12 << 30  # bytes that a run may ask for
SETTING_UP = 30  # s: processor time for making a world and reading it, besides its steps


@functools.cache
def build(engine):
    """What a kept result is of: the version, and of ours the library itself."""
    if engine != "gudgeon":
        return version(engine)
    files = importlib.metadata.files("gudgeon")
    library = next(f.locate() for f in files if f.name.endswith((".so", ".pyd", ".dylib")))
    return hashlib.sha256(Path(library).read_bytes()).hexdigest()[:16]


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
    limit, load = patience + SETTING_UP, os.getloadavg()[0]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **threads})
    if hasattr(resource, "prlimit"):
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        out, said_last = within(process, limit)
        result = json.loads(out.strip().splitlines()[-1])
    except TimeoutError:
        result = {"error": None, "note": f"not done in {patience:.0f} s", "us_per_step": None, "steps": 0, "seconds": limit}
    except (IndexError, json.JSONDecodeError):
        last = (said_last.strip().splitlines() or [f"without a word, code {process.returncode}"])[-1]
        result = {"error": None, "note": f"died: {last}"[:200], "us_per_step": None, "steps": 0, "seconds": 0}
    result = {**result, "engine": engine, "scene": scene, "load": load, **key(engine, said, what)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result))
    return result, True


def within(process, limit):
    """What a process says; ended if it takes more processor time than that. Not by a limit of the kernel: under one its clocks are coarse."""
    began = time.time()
    while True:
        try:
            return process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            if spent(process.pid, time.time() - began) > limit:
                process.kill()
                process.communicate()
                raise TimeoutError from None


def spent(pid, otherwise):
    """Seconds of processor time, where the system says."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return otherwise


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
    if "mujoco" not in found:
        print("left out: piles (MuJoCo's collision is their judge)", file=sys.stderr)
        for name in [s for s in SCENES if s.startswith("pile-")]:
            del SCENES[name]
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
    return kept if all(kept.get(name) == value for name, value in key(engine, said, what).items()) else None


def key(engine, said, what):
    return {"settings": said, "about": what["about"], "patience": what["patience"], "build": build(engine)}


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
    chosen = [kept[e, s] for s in scenes for e in ran]
    setup = [int(p.read_text()) for p in sorted((OUT / "setup").glob("*"))]
    board = {
        "machine": machine(),
        # s of processor time of all runs; s that setting up took; other work of the machine meanwhile
        "run_seconds": round(sum(r["seconds"] for r in chosen)),
        "setup_seconds": sum(setup),
        "load": [round(f(r["load"] for r in chosen), 1) for f in (min, statistics.median, max)] if chosen else None,
        "engines": [{"name": e, "version": version(e), "settings": found[e][2]} for e in ran],
        "scenes": [{"name": name, "about": s["about"], "unit": s["unit"], "patience": s["patience"]} for name, s in scenes.items()],
        "results": results,
    }
    lines = json.dumps(board, indent=1, ensure_ascii=False).replace("\n   ", " ").replace("\n  }", " }")
    path.write_text(lines + "\n")


if __name__ == "__main__":
    main()
