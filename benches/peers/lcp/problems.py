"""The problems of a folder as dense LCPs, and an independent judgement of answers."""

import json
from pathlib import Path

import numpy as np


class Problem:
    def __init__(self, name, m, q, solvable):
        self.name, self.m, self.q, self.solvable = name, m, q, solvable
        self.n = len(q)
        self.d, self.size = energy_units(m, q)

    def write(self, file):
        with open(file, "wb") as out:
            out.write(np.uint64(self.n).tobytes())
            out.write(self.m.astype("<f8").tobytes(order="F"))
            out.write(self.q.astype("<f8").tobytes())

    def residual(self, z):
        """The largest |min(z, w)| in energy units; infinite for what is no answer at all.

        Where impulses exceed a million times q, their millionth is the unit: their last bit is worth that much.
        """
        z = np.asarray(z, dtype=float)
        if z.shape != self.q.shape or not np.isfinite(z).all():
            return np.inf
        held = np.flatnonzero(z)
        columns = self.m[:, held].astype(np.longdouble)
        w = (columns @ z[held].astype(np.longdouble) + self.q).astype(float)
        scaled_z, scaled_w = z / (self.size * self.d), w * self.d / self.size
        worst = np.abs(np.minimum(scaled_z, scaled_w)).max()
        return float(worst / max(1.0, 1e-6 * np.abs(scaled_z).max()))


def energy_units(m, q):
    """Factors d and s such that d M d has a diagonal of ones and d q / s is of size one."""
    diagonal = np.diag(m)
    d = np.where(diagonal > 0, 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 0.0)
    # a row without a diagonal takes the reciprocal of what it couples to
    size = np.maximum(np.abs(m), np.abs(m.T))
    coupling, raw = (size * d).max(axis=1), size.max(axis=1)
    bare = d == 0.0
    alone = 1.0 / np.sqrt(np.where(raw > 0, raw, 1.0))
    d = np.where(bare, np.where(coupling > 0, 1.0 / np.where(coupling > 0, coupling, 1.0), alone), d)
    size = np.abs(q * d).max()
    return d, size if size > 0 else 1.0


def facets(sides):
    """Directions in exact opposite pairs, with exact zeros: as degenerate as the cone is, and no less."""
    angle = 2 * np.pi * np.arange(sides // 2) / sides
    half = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    half[np.abs(half) < 1e-15] = 0.0
    return np.concatenate([half, -half])


def friction_lcp(w, q, mu, sides=8):
    """theta (normals), phi (facets of contact after contact), lambda (cones): Yamane (25)-(26)."""
    n = len(mu)
    rows = np.zeros((n * (1 + sides), 3 * n))
    rows[np.arange(n), 3 * np.arange(n)] = 1.0
    for i in range(n):
        rows[n + i * sides : n + (i + 1) * sides, 3 * i + 1 : 3 * i + 3] = facets(sides)
    k = n * (1 + sides)
    m = np.zeros((k + n, k + n))
    m[:k, :k] = rows @ w @ rows.T
    for i in range(n):
        phi = slice(n + i * sides, n + (i + 1) * sides)
        m[k + i, i] = mu[i]
        m[k + i, phi] = -1.0
        m[phi, k + i] = 1.0
    return m, np.concatenate([rows @ q, np.zeros(n)])


def load(folder, largest):
    """Every standard LCP of lcp/ and every friction problem of fclib/ that is no larger than that."""
    problems = []
    for file in sorted((Path(folder) / "lcp").glob("*.json")):
        data = json.loads(file.read_text())
        if data["kind"] == "lcp" and len(data["q"]) <= largest:
            m = np.array(data["M"], dtype=float)
            expected = data.get("expect", "solution")
            problems.append(Problem(file.stem, m, np.array(data["q"], dtype=float), expected == "solution"))
    for file in sorted((Path(folder) / "fclib").glob("*.npz")):
        with np.load(file) as data:
            mu = np.atleast_1d(data["mu"]).astype(float)
            q = data["q"].astype(float)
            if 10 * len(mu) > largest:
                continue
            w = np.zeros((len(q), len(q)))
            np.add.at(w, (data["W_i"], data["W_j"]), data["W_x"])
        problems.append(Problem(file.stem, *friction_lcp(w, q, mu), True))
    return problems
