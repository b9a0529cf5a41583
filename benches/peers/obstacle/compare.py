#!/usr/bin/env python3
"""Obstacle problems beside a purpose-made sparse active set (scipy) and Clarabel: processor seconds, residuals.

    benches/peers/obstacle/compare.py [--repeats 3] [--small]

Builds `cargo build --release -p gudgeon-lcp --example obstacle` by itself; scipy and clarabel go to an environment under
target/ unless GUDGEON_PEERS_VENV names one. The problem is 0 <= z, M z + q >= 0, one of them zero in every row, with M the
five-point (in 1-D three-point) Laplacian: a membrane pulled towards a plate in places and away from it in others. All run on
one thread; the best of the repeats counts (for ours their mean). The residual is max |min(z, M z + q)|, computed here from the same data for
the peers and by the example for ours. Clarabel is given its tightest usual tolerances (1e-12) on the equivalent quadratic
program; where it stops earlier its residual says so.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENV = Path(os.environ.get("GUDGEON_PEERS_VENV", ROOT / "target" / "peers-obstacle"))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, ["numpy", "scipy", "clarabel"])
import clarabel  # noqa: E402
import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from scipy.sparse.linalg import splu  # noqa: E402


def problem(side, dimension):
    """As in crates/lcp/examples/obstacle.rs."""
    line = sp.diags([-np.ones(side - 1), 2 * np.ones(side), -np.ones(side - 1)], [-1, 0, 1], format="csc")
    one = sp.identity(side, format="csc")
    m = line if dimension == 1 else sp.kron(one, line) + sp.kron(line, one)
    h = 1 / (side + 1)
    at = (np.arange(side) + 1) * h
    if dimension == 1:
        return sp.csc_matrix(m), h * h * (1 - 3 * np.sin(9 * at))
    x, y = np.tile(at, side), np.repeat(at, side)
    return sp.csc_matrix(m), h * h * (1 - 8 * np.sin(3 * x) * np.cos(4 * y))


def active_set(m, q, limit=20_000, seconds=120.0):
    """The primal-dual active set: all rows on the wrong side change it, one factorisation a round."""
    n = len(q)
    z, w = np.zeros(n), q.copy()
    free = np.zeros(n, bool)
    begin = time.process_time()
    for rounds in range(limit):
        new = np.where(free, z > 0, w < 0)
        if rounds and (new == free).all():
            return z, rounds
        free = new
        z, inside = np.zeros(n), np.flatnonzero(free)
        if len(inside):
            block = m[inside][:, inside].tocsc()
            z[inside] = splu(block, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(-q[inside])
        w = m @ z + q
        w[inside] = 0
        if time.process_time() - begin > seconds:
            return None, rounds
    return None, limit


def by_clarabel(m, q):
    n = len(q)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    # in units that make the load one: its tolerances are absolute in part
    size = np.abs(q).max()
    cones = [clarabel.NonnegativeConeT(n)]
    solver = clarabel.DefaultSolver(sp.triu(m).tocsc(), q / size, -sp.identity(n, format="csc"), np.zeros(n), cones, settings)
    answer = solver.solve()
    return np.maximum(np.array(answer.x) * size, 0), answer.iterations


def timed(solve, repeats):
    best, answer = float("inf"), None
    for _ in range(repeats):
        begin = time.process_time()
        answer = solve()
        best = min(best, time.process_time() - begin)
        if best > 20:
            break
    return best, answer


def residual(m, q, z):
    return float("nan") if z is None else np.abs(np.minimum(z, m @ z + q)).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="leave out n = 100,000")
    args = parser.parse_args()
    command = ["cargo", "build", "--release", "-q", "-p", "gudgeon-lcp", "--example", "obstacle"]
    subprocess.run(command, cwd=ROOT, check=True)
    ran = subprocess.run([ROOT / "target/release/examples/obstacle", str(args.repeats)], capture_output=True, check=True)
    ours = [json.loads(line) for line in ran.stdout.splitlines()]
    print("| problem | ours, ms | residual | active set, ms | rounds | residual | Clarabel, ms | residual |")
    print("|---|---|---|---|---|---|---|---|")
    for line in ours:
        dimension, n = line["dimension"], line["n"]
        if args.small and n > 10_000:
            continue
        m, q = problem(n if dimension == 1 else round(n**0.5), dimension)
        theirs, (z, rounds) = timed(lambda: active_set(m, q), args.repeats)
        conic, (x, _) = timed(lambda: by_clarabel(m, q), args.repeats)
        gave_up = "" if z is not None else " (given up)"
        print(
            f"| {dimension}-D, {n} | {1e3 * line['seconds']:.2f} | {line['raw']:.0e} | {1e3 * theirs:.2f}{gave_up} "
            f"| {rounds} | {residual(m, q, z):.0e} | {1e3 * conic:.2f} | {residual(m, q, x):.0e} |",
            flush=True,
        )


main()
