#!/usr/bin/env python3
"""Piles in motion and pyramids at rest beside MuJoCo: the same bodies, bin and start, processor time per step, one run.

    benches/peers/piles/compare.py [--bodies 50 200] [--kinds spheres boxes mixed capsules] [--mu 0.5] [--ratio 1]
        [--law exact]
    benches/peers/piles/compare.py --all [--patience 120] [--fresh]

Wants `cargo build --release -p gudgeon-cli` done and MuJoCo; sets up an environment of its own under target/ unless
GUDGEON_PEERS_VENV names one. Engines take turns on each pile, 2 s at 2 ms. MuJoCo runs twice: as it comes, and `accurate`:
elliptic cones, Newton with 100 iterations to 1e-12, stiff contacts. Ours is round cones; what it certified stands beside its
time: the share of steps solved to 1e-9, and the largest residual of all.

`--all` runs every case that the project holds itself to: 50, 200 and 1,000 bodies, friction 1, masses 1 to 1e4, and pyramids
of 20 to 100 rows. A case that takes longer than `--patience` seconds is ended and told; what was measured is kept beside
the environment, so that a second call goes on where the first ended (`--fresh` forgets it). Beside each line stands what it
must hold, `ok` or by what factor it is missed.
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
VENV = Path(os.environ.get("GUDGEON_PEERS_VENV", ROOT / "target" / "peers-piles"))
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, ["mujoco"])
import mujoco  # noqa: E402

# as in crates/sim/src/scenes/pile.rs
SIZE, SPACING, THICK, STEP, DURATION = 0.05, 0.18, 0.05, 0.002, 2.0
KINDS = ["spheres", "boxes", "mixed", "capsules"]
MASK = (1 << 64) - 1


class Draw:
    """splitmix64, from -1 to 1"""

    def __init__(self, seed):
        self.state = seed

    def signed(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        return (z >> 11) * (2.0 / (1 << 53)) - 1.0


def scene(bodies, kind, mu, ratio, accurate):
    draw = Draw(1)
    side = next(k for k in range(1, 1000) if 4 * k**3 >= bodies)
    wide, tall = 0.5 * SPACING * side + 0.01, 0.5 * SPACING * 2 * side
    tags = '<geom type="plane" size="5 5 1"/>'
    for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
        half = [wide + 2 * THICK if a == 0 else THICK for a in (x, y)]
        out = wide + THICK
        tags += f'<geom type="box" size="{half[0]} {half[1]} {tall}" pos="{out * x} {out * y} {tall}"/>'
    for k in range(bodies):
        shape = k % 3 if kind == 2 else kind
        geom = [
            f'type="sphere" size="{SIZE}"',
            f'type="box" size="{SIZE} {0.8 * SIZE} {0.6 * SIZE}"',
            f'type="capsule" size="{0.5 * SIZE} {0.6 * SIZE}"',
        ][min(shape, 2)]
        place = lambda i: SPACING * (i % side - 0.5 * (side - 1))  # noqa: E731
        x, y, z = (0.015 * draw.signed() for _ in range(3))
        x, y, z = x + place(k), y + place(k // side), z + 0.1 + SPACING * (k // side**2)
        turn = " ".join(str(draw.signed()) for _ in range(4))
        mass = ratio ** (0.5 * (draw.signed() + 1.0))
        tags += f'<body pos="{x} {y} {z}" quat="{turn}"><freejoint/><geom {geom} mass="{mass}"/></body>'
    option, contact = "", ""
    if accurate:
        option = 'cone="elliptic" solver="Newton" iterations="100" tolerance="1e-12"'
        contact = f'solref="{2 * STEP} 1" solimp="0.95 0.99 0.0005"'
    return f"""<mujoco><option timestep="{STEP}" {option}/><size memory="1G"/>
        <default><geom friction="{mu} 0 0" condim="3" {contact}/></default>
        <worldbody>{tags}</worldbody></mujoco>"""


def run_mujoco(bodies, kind, mu, ratio, accurate, patience):
    model = mujoco.MjModel.from_xml_string(scene(bodies, kind, mu, ratio, accurate))
    data = mujoco.MjData(model)
    times, began = [], time.process_time()
    for _ in range(round(DURATION / STEP)):
        at = time.process_time()
        mujoco.mj_step(model, data)
        times.append(time.process_time() - at)
        if time.process_time() - began > patience:
            break
    return 1e6 * sum(times) / len(times), 1e6 * max(times)


def run_gudgeon(bodies, kind, mu, ratio, law, patience):
    program = ROOT / "target" / "release" / "gudgeon"
    values = [f"bodies={bodies}", f"kind={kind}", f"mu={mu}", f"ratio={ratio}"]
    settings = [part for v in values for part in ("--set", v)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        command = [program, "sim", "pile", *settings, "--law", law, "--json"]
        done = subprocess.run(command, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = json.loads(done.stdout)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1e6 * cpu / summary["steps"], summary


def run_pyramid(rows, patience):
    """Warm steps of a pyramid at rest: the mean over the second half of a run, by the difference of two runs."""
    program = ROOT / "target" / "release" / "gudgeon"
    spent = {}
    for steps in (10, 30):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            command = [program, "sim", "pyramid", "--set", f"rows={rows}", "--duration", str(STEP * steps), "--json"]
            done = subprocess.run(command, capture_output=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent[steps] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    summary = json.loads(done.stdout)
    return 1e6 * (spent[30] - spent[10]) / 20, summary


class Kept:
    """What was measured, by case: a file of one JSON object."""

    def __init__(self, fresh):
        self.path = VENV.parent / "piles.json"
        self.all = {} if fresh or not self.path.exists() else json.loads(self.path.read_text())

    def get(self, key, run):
        if key not in self.all:
            self.all[key] = run()
            self.path.write_text(json.dumps(self.all))
        return self.all[key]


def judged(value, most):
    return "ok" if value <= most else f"{value / most:.1f} times too much"


def one_pile(kept, bodies, name, mu, ratio, law, patience):
    """Measures and prints one pile; answers our mean, us, if it ended."""
    kind = KINDS.index(name)
    key = f"{bodies} {name} mu={mu} ratio={ratio:g}"
    plain = kept.get(f"{key} mujoco", lambda: run_mujoco(bodies, kind, mu, ratio, False, patience))
    accurate = kept.get(f"{key} accurate", lambda: run_mujoco(bodies, kind, mu, ratio, True, patience))
    ours = kept.get(f"{key} {law}", lambda: run_gudgeon(bodies, kind, mu, ratio, law, patience))
    line = f"{bodies:6} {name:9}{mu:5.1f}{ratio:7.0g}{plain[0]:9.0f}{accurate[0]:10.0f}"
    if ours is None:
        print(line, f"  not done in {patience:.0f} s", flush=True)
        return None
    mean, summary = ours
    solves, times = summary["solves"], summary["us_per_step"]
    share = 100.0 * solves["solved"] / max(solves["total"], 1)
    goal = accurate[0] if bodies == 50 else plain[0] if bodies == 200 else 56e3
    least = 95.0 if mu != 0.5 or ratio != 1.0 else 98.0
    worst = judged(times["max"], 20e3 + 50 * times["median"])
    print(
        line,
        f"{mean:9.0f}{1e-3 * times['max']:10.1f}{share:10.2f}{summary['max_residual']:12.1e}",
        f"{summary['contacts']['mean']:8.0f}  mean {judged(mean, goal)}, worst {worst},",
        "solved ok" if share >= least else f"solved {least - share:.1f} % short",
        flush=True,
    )
    return mean


def every_case(kept, patience):
    head()
    means = {}
    for bodies in (50, 200, 1000):
        for name in KINDS if bodies == 50 else KINDS[:3]:
            means[bodies, name] = one_pile(kept, bodies, name, 0.5, 1.0, "exact", patience)
    for mu, ratio in ((1.0, 1.0), (0.5, 1e4)):
        for name in KINDS:
            one_pile(kept, 50, name, mu, ratio, "exact", patience)
    for bodies in (50, 200, 1000):
        for name in KINDS[:3]:
            one_pile(kept, bodies, name, 0.5, 1.0, "convex", patience)
    for name in KINDS[:3]:
        small, large = means[50, name], means.get((1000, name))
        if small and large:
            power = math.log(large / small) / math.log(20)
            print(f"growth of {name} from 50 to 1,000: n^{power:.2f} (1.3)")
    print("pyramids at rest: rows, boxes, contacts, us per warm step")
    sizes = []
    for rows in (20, 40, 70, 100):
        done = kept.get(f"pyramid {rows}", lambda: run_pyramid(rows, patience))
        if done is None:
            print(f"{rows:6}  not done in {patience:.0f} s", flush=True)
            continue
        sizes.append((done[1]["contacts"]["mean"], done[0]))
        print(f"{rows:6}{rows * (rows + 1) // 2:8}{sizes[-1][0]:10.0f}{done[0]:12.0f}", flush=True)
    for (a, s), (b, t) in zip(sizes, sizes[1:]):
        print(f"  from {a:.0f} to {b:.0f} contacts: n^{math.log(t / s) / math.log(b / a):.2f} (1.2)")


def head():
    print("CPU us per step, 2 s at 2 ms")
    print("bodies kind       mu  ratio   MuJoCo  accurate   gudgeon  worst/ms  solved %    residual contacts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bodies", type=int, nargs="*", default=[50])
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--mu", type=float, default=0.5)
    parser.add_argument("--ratio", type=float, default=1.0)
    parser.add_argument("--law", choices=["exact", "convex"], default="exact", help="ours")
    parser.add_argument("--patience", type=float, default=300.0, help="seconds for one engine on one pile")
    parser.add_argument("--all", action="store_true", help="every case, kept between calls")
    parser.add_argument("--fresh", action="store_true", help="forgets what was kept")
    args = parser.parse_args()
    if args.all:
        every_case(Kept(args.fresh), args.patience)
        return
    head()
    once = Kept(True)
    once.path = Path(os.devnull)
    for bodies in args.bodies:
        for name in args.kinds:
            one_pile(once, bodies, name, args.mu, args.ratio, args.law, args.patience)


main()
