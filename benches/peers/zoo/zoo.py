#!/usr/bin/env python3
"""466 models of the world: each is loaded and run here, and compared with MuJoCo where it loads there.

    python3 benches/peers/zoo/zoo.py [--only WORD] [--duration S] [--dt S] [--scatter SEED] [--drive SEED] [--program PROGRAM] [--jobs N] [--out FILE] [--resume]

A row is clean if the model loads, every solve is solved by the method asked for, no number is NaN, nothing ends under a
floor, and mass, dofs, joints and actuators are MuJoCo's to 1e-6. Rows that MuJoCo does not load either are listed apart.
Writes out/peers/zoo/ZOO.csv (or FILE) and prints what is not clean, and the counts. The exit code is 0 if all is clean.
With --resume the rows that FILE has already are kept and only the others are run, also those that took too long.
"""
import argparse
import csv
import json
import math
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from environment import HERE, ROOT, ZOO, build, find

TIMEOUT = 120  # s of processor time, loading and running
PEER = """
import json, sys
import mujoco
try:
    m = mujoco.MjModel.from_xml_path(sys.argv[1])
    name = lambda kind, k: mujoco.mj_id2name(m, kind, k)
    print(json.dumps({"mass": float(m.body_mass[1:].sum()), "dof": m.nv, "n_q": m.nq, "joints": m.njnt, "bodies": m.nbody - 1,
        "actuators": [name(mujoco.mjtObj.mjOBJ_ACTUATOR, k) or "" for k in range(m.nu)], "sensors": m.nsensor}))
except Exception as e:
    print(json.dumps({"error": str(e).replace(chr(10), " ")}))
"""
HEAD = [
    "kind", "model", "result", "dofs", "failed", "fallbacks", "overlap_start_m", "overlap_max_m", "below_m", "contacts_max",
    "us_per_step", "worst_step_ms", "collide_us", "solve_us", "load_s", "message",
]  # fmt: skip


def ask(command, timeout=TIMEOUT):
    seconds = math.ceil(timeout)
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds + 5))
    try:
        # a crowded machine may take many times the processor's own time
        answer = subprocess.run(command, capture_output=True, text=True, timeout=40 * timeout, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return {"error": f"longer than {40 * timeout} s"}
    if answer.returncode == -signal.SIGXCPU:
        return {"error": f"longer than {timeout} s of processor time"}
    try:
        return json.loads(answer.stdout.strip().splitlines()[-1])
    except (json.JSONDecodeError, IndexError):
        return {"error": "ended: " + " ".join(answer.stderr.strip().splitlines()[-3:])}


def differences(ours, peer):
    """What differs from MuJoCo, in words."""
    words = []
    if abs(ours["mass"] - peer["mass"]) > 1e-6 * max(1.0, peer["mass"]):
        words.append(f"mass {ours['mass']:.9g} not {peer['mass']:.9g}")
    for key, value in [("dof", ours["dof"]), ("n_q", ours["n_q"]), ("joints", len(ours["joints"]))]:
        if value != peer[key]:
            words.append(f"{key} {value} not {peer[key]}")
    if "actuators" in ours and len(ours["actuators"]) != len(peer["actuators"]):
        words.append(f"actuators {len(ours['actuators'])} not {len(peer['actuators'])}")
    return words


def row(model, options, program):
    kind, name, path = model
    if path is None:
        return {"kind": kind, "model": name, "result": "not found"}
    peer = ask([sys.executable, "-c", PEER, str(path)])
    command = [str(program), str(path), "--duration", str(options.duration), "--dt", str(options.dt)]
    for word in ("scatter", "drive"):
        if (seed := getattr(options, word)) is not None:
            command += [f"--{word}", str(seed)]
    ours = ask(command, options.timeout)
    out = {"kind": kind, "model": name}
    if "error" in ours:
        # a URDF without links is none to urdfdom either, and an empty world to MuJoCo
        both = "error" in peer or (kind == "URDF" and peer["bodies"] == 0)
        return out | {"result": "neither loads" if both else "refused", "message": ours["error"] + (" | MuJoCo: " + peer.get("error", "an empty world") if both else "")}
    facts, run = ours["facts"], ours["run"]
    out |= {"dofs": facts["dof"], "load_s": f"{ours['load_seconds']:.3g}"}
    if "error" in run:
        return out | {"result": "refused", "message": run["error"]}
    out |= {
        "failed": run["failed"], "fallbacks": run["fallbacks"], "overlap_start_m": f"{run['overlap_start']:.3g}",
        "overlap_max_m": f"{run['overlap']:.3g}", "below_m": f"{run['below']:.3g}", "contacts_max": run["contacts"],
        "us_per_step": f"{run['us_per_step']:.4g}", "worst_step_ms": f"{run['worst_step_ms']:.3g}",
        "collide_us": f"{run['collide_us']:.3g}", "solve_us": f"{run['solve_us']:.3g}",
    }  # fmt: skip
    words = []
    if run["nan"]:
        words.append(run["nan"])
    if run["failed"]:
        words.append("failed solves")
    if run["fallbacks"]:
        words.append("fallbacks")
    if run["below"] > 0.01:  # m: more than any overlap that a step leaves
        words.append("under the floor")
    if kind == "MJCF" and "error" not in peer:
        words += differences(facts, peer)
    quiet = "static" if facts["dof"] == 0 else "clean"
    return out | {"result": quiet if not words else "not clean", "message": "; ".join(words)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose name has this word")
    parser.add_argument("--list", type=Path, default=HERE / "models.txt", help="names of models, one on each line")
    parser.add_argument("--duration", type=float, default=2.0, help="simulated seconds")
    parser.add_argument("--dt", type=float, default=0.002, help="s")
    parser.add_argument("--scatter", type=int, help="seed: robots lie any way, joints are moved")
    parser.add_argument("--drive", type=int, help="seed: random controls")
    parser.add_argument("--program", type=Path, help="a built example zoo of gudgeon-model")
    parser.add_argument("--jobs", type=int, default=1, help="models at a time")
    parser.add_argument("--out", type=Path, default=ZOO / "ZOO.csv")
    parser.add_argument("--resume", action="store_true", help="keep the rows that are in the output already")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="s of processor time for each model")
    options = parser.parse_args()
    program = (options.program or build()).resolve()
    models = [m for m in find(options.list) if options.only in m[1]]
    done = {}
    if options.resume and options.out.exists():
        with options.out.open(newline="") as file:
            done = {line["model"]: line for line in csv.DictReader(file) if line["result"] and "longer than" not in (line["message"] or "")}
    counts = {}
    with ThreadPoolExecutor(options.jobs) as pool, options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, HEAD)
        writer.writeheader()
        for out in pool.map(lambda m: done.get(m[1]) or row(m, options, program), models):
            writer.writerow(out)
            file.flush()
            counts[out["result"]] = counts.get(out["result"], 0) + 1
            if out["result"] not in ("clean", "static"):
                print(out["result"], out["model"], str(out.get("message", ""))[:300], sep=" | ", flush=True)
    print(", ".join(f"{n} {result}" for result, n in sorted(counts.items())), "of", len(models))
    sys.exit(0 if set(counts) <= {"clean", "static", "neither loads"} else 1)


if __name__ == "__main__":
    main()
