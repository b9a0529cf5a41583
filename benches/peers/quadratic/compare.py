#!/usr/bin/env python3
"""Dense quadratic programs beside Clarabel and OSQP, alone and in sweeps of fifty: processor seconds, residuals.

    benches/peers/quadratic/compare.py [--repeats 3]

    min 1/2 x'Qx + c'x,   G x <= h,   0 <= x <= 1          200 unknowns and 40 rows of G; 400 and 80

Builds `cargo build --release -p gudgeon-lcp --example quadratic` by itself; numpy, scipy, clarabel and osqp go to an environment
under target/ unless GUDGEON_PEERS_VENV names one. All solvers get the same numbers and one thread. The residual is
max |x - clamp(x - (Qx + c + G'y))| over x and |y - max(y - (h - Gx), 0)| over y: that of the example. Clarabel runs with tolerances of
1e-12; OSQP with 1e-9 and its polish, up to 100,000 iterations, since it is an iteration of first order; a warm OSQP is told the new c and keeps
its factors.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENV = Path(os.environ.get("GUDGEON_PEERS_VENV", ROOT / "target" / "peers-quadratic"))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, ["numpy", "scipy", "clarabel", "osqp"])
import clarabel  # noqa: E402
import numpy as np  # noqa: E402
import osqp  # noqa: E402
import scipy.sparse as sp  # noqa: E402


def draw(n, m):
    rng = np.random.default_rng(n)
    root = rng.uniform(-1, 1, (n, n))
    c = rng.uniform(-10, 10, n)
    sweep = c + np.cumsum(rng.uniform(-0.05, 0.05, (50, n)), axis=0)
    return root @ root.T / n + 0.1 * np.eye(n), c, rng.uniform(-1, 1, (m, n)), np.full(m, 0.5), sweep


def write(path, data):
    q, c, g, h, sweep = data
    lines = [*np.column_stack([q, c]), *np.column_stack([g, h]), *sweep]
    path.write_text("\n".join(",".join(repr(float(v)) for v in line) for line in lines) + "\n")


def residual(data, c, x, y):
    q, _, g, h, _ = data
    one = np.abs(x - np.clip(x - (q @ x + c + g.T @ y), 0, 1)).max()
    return max(one, np.abs(y - np.maximum(y - (h - g @ x), 0)).max())


def by_clarabel(data, c):
    q, _, g, h, _ = data
    n, m = len(c), len(h)
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    rows = sp.csc_matrix(np.vstack([g, np.eye(n), -np.eye(n)]))
    right = np.concatenate([h, np.ones(n), np.zeros(n)])
    cone = [clarabel.NonnegativeConeT(m + 2 * n)]
    answer = clarabel.DefaultSolver(sp.triu(sp.csc_matrix(q)).tocsc(), c, rows, right, cone, settings).solve()
    return np.clip(np.array(answer.x), 0, 1), np.maximum(np.array(answer.z)[:m], 0)


def osqp_solver(data, c):
    q, _, g, h, _ = data
    n, m = len(c), len(h)
    rows = sp.csc_matrix(np.vstack([g, np.eye(n)]))
    low, high = np.concatenate([np.full(m, -np.inf), np.zeros(n)]), np.concatenate([h, np.ones(n)])
    solver = osqp.OSQP()
    solver.setup(
        sp.triu(sp.csc_matrix(q)).tocsc(), c, rows, low, high, verbose=False, eps_abs=1e-9, eps_rel=1e-9, polishing=True, max_iter=100_000
    )
    return solver


def by_osqp(solver, m):
    answer = solver.solve()
    return np.clip(answer.x, 0, 1), np.maximum(answer.y[:m], 0)


def timed(call, repeats):
    best, answer = float("inf"), None
    for _ in range(repeats):
        begin = time.process_time()
        answer = call()
        best = min(best, time.process_time() - begin)
    return best, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    folder = ROOT / "target" / "quadratic"
    folder.mkdir(parents=True, exist_ok=True)
    sets = {(n, m): draw(n, m) for n, m in [(200, 40), (400, 80)]}
    for (n, m), data in sets.items():
        write(folder / f"qp-{n}-{m}.csv", data)
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "gudgeon-lcp", "--example", "quadratic"], cwd=ROOT, check=True)
    ran = subprocess.run([ROOT / "target/release/examples/quadratic", folder], capture_output=True, check=True)
    print("| unknowns + rows | solver | one, ms | residual | sweep of 50 cold, ms | warm, ms |")
    print("|---|---|---|---|---|---|")
    for line in map(json.loads, ran.stdout.splitlines()):
        n, m = line["n"], line["m"]
        data = sets[n, m]
        c, sweep = data[1], data[4]
        ours = f"{1e3 * line['seconds']:.1f} | {line['raw']:.0e} | {1e3 * line['cold_sweep']:.0f} | {1e3 * line['warm_sweep']:.0f}"
        print(f"| {n} + {m} | ours ({line['status']}, {line['solved']} of 50 in the sweep) | {ours} |")
        one, (x, y) = timed(lambda: by_clarabel(data, c), repeats)
        cold, _ = timed(lambda: [by_clarabel(data, at) for at in sweep], 1)
        print(f"| {n} + {m} | Clarabel | {1e3 * one:.1f} | {residual(data, c, x, y):.0e} | {1e3 * cold:.0f} | - |")
        one, (x, y) = timed(lambda: by_osqp(osqp_solver(data, c), m), repeats)
        cold, _ = timed(lambda: [by_osqp(osqp_solver(data, at), m) for at in sweep], 1)
        kept = osqp_solver(data, c)
        warm, _ = timed(lambda: [(kept.update(q=at), by_osqp(kept, m)) for at in sweep], 1)
        print(f"| {n} + {m} | OSQP | {1e3 * one:.1f} | {residual(data, c, x, y):.0e} | {1e3 * cold:.0f} | {1e3 * warm:.0f} |", flush=True)


main()
