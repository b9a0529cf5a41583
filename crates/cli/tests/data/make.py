"""Writes the .npz, .hdf5 and block-*.json files beside it (numpy 2.4, h5py 3.16):

pip install numpy h5py && python make.py
"""

import json
from pathlib import Path

import h5py
import numpy as np

out = str(Path(__file__).parent) + "/"

# one block of 2 kg on three points, sliding; written both as a local and as a global problem
m = 2.0
I = np.diag([0.02, 0.03, 0.04])
M = np.zeros((6, 6))
M[:3, :3] = I
M[3:, 3:] = m * np.eye(3)
pts = np.array([[0.1, 0.1, -0.05], [-0.1, 0.1, -0.05], [0.0, -0.1, -0.05]])
rows = []
for p in pts:
    for d in np.eye(3)[[2, 0, 1]]:
        rows.append(np.concatenate([np.cross(p, d), d]))
J = np.array(rows)
vfree = np.array([0.3, 0.0, 0.1, 0.5, 0.0, -0.0981])
w = np.zeros(9)
w[0] = 0.01
w[4] = 0.002
W = J @ np.linalg.inv(M) @ J.T
q = J @ vfree + w
mu = np.array([0.5, 0.4, 0.3])


def put(g, name, A, kind, **kw):
    s = g.create_group(name)
    mm, nn = A.shape
    if kind == "csc":
        i, p, x = [], [0], []
        for j in range(nn):
            for k in range(mm):
                if A[k, j] != 0:
                    i.append(k)
                    x.append(A[k, j])
            p.append(len(i))
        nz = -1
    elif kind == "csr":
        i, p, x = [], [0], []
        for j in range(mm):
            for k in range(nn):
                if A[j, k] != 0:
                    i.append(k)
                    x.append(A[j, k])
            p.append(len(i))
        nz = -2
    else:
        r, c = np.nonzero(A)
        x = A[r, c]
        i, p = list(r), list(c)
        nz = len(x)
    for k, v in (("nzmax", len(x)), ("m", mm), ("n", nn), ("nz", nz)):
        s.create_dataset(k, data=np.array([v], dtype="<i4"))
    s.create_dataset("p", data=np.array(p, dtype="<i4"))
    s.create_dataset("i", data=np.array(i, dtype="<i4"), **kw)
    s.create_dataset("x", data=np.array(x, dtype="<f8"), **kw)


def local(path, kind, libver=None, **kw):
    with h5py.File(out + path, "w", libver=libver) as h:
        g = h.create_group("fclib_local")
        g.create_dataset("spacedim", data=np.array([3], dtype="<i4"))
        put(g, "W", W, kind, **kw)
        v = g.create_group("vectors")
        v.create_dataset("q", data=q)
        v.create_dataset("mu", data=mu)
        i = g.create_group("info")
        i.create_dataset("title", data=np.bytes_("block on three points"))


def glob(path, kind, M=M, G=None):
    with h5py.File(out + path, "w") as h:
        g = h.create_group("fclib_global")
        g.create_dataset("spacedim", data=np.array([3], dtype="<i4"))
        put(g, "M", M, kind)
        put(g, "H", J.T, kind)
        v = g.create_group("vectors")
        v.create_dataset("f", data=M @ vfree)
        v.create_dataset("w", data=w)
        v.create_dataset("mu", data=mu)
        if G is not None:
            put(g, "G", G, kind)
            v.create_dataset("b", data=np.zeros(G.shape[1]))


local("local-csc.hdf5", "csc")
local("local-csr.hdf5", "csr", libver=None)
local("local-triplet-latest.hdf5", "triplet", libver="latest")
local("local-chunked.hdf5", "csc", chunks=(20,), compression="gzip", shuffle=True, fletcher32=True)
glob("global-csc.hdf5", "csc")
glob("global-triplet.hdf5", "triplet")
G = np.zeros((6, 1))
G[2, 0] = 1
glob("global-equality.hdf5", "csr", G=G)
Mu = M.copy()
Mu[0, 1] += 0.004
Mu[1, 0] -= 0.004
glob("global-unsymmetric.hdf5", "csr", M=Mu)
# npz
np.savez(out + "lcp.npz", M=np.array([[2.0, 1.0], [1.0, 3.0]]), q=np.array([-1.0, -2.0]))
np.savez_compressed(
    out + "lcp-fortran-f32.npz",
    kind="lcp",
    M=np.asfortranarray(np.array([[2.0, 0.5], [-1.0, 3.0]], dtype="f4")),
    q=np.array([-1, -2], dtype="i4"),
)
np.savez_compressed(
    out + "mlcp.npz",
    A=np.eye(3) * 2,
    b=np.array([-1.0, -2.0, -3.0]),
    lo=np.array([0, -0.5, -0.5]),
    hi=np.array([np.inf, 0.5, 0.5]),
    findex=np.array([-1, 0, 0]),
)
r, c = np.nonzero(W)
np.savez_compressed(
    out + "friction-sparse.npz",
    W_i=r.astype("i4"),
    W_j=c.astype("i8"),
    W_x=W[r, c],
    q=q,
    mu=mu,
    n=9,
    family="block",
)
np.savez(out + "friction-dense.npz", kind="friction", W=W, q=q, mu=mu, facets=16)
json.dump(
    {"kind": "friction", "W": W.tolist(), "q": q.tolist(), "mu": mu.tolist()},
    open(out + "block-local.json", "w"),
)
pair = lambda r: [[int(k), float(x)] for k, x in enumerate(r) if x != 0]
json.dump(
    {
        "kind": "friction",
        "mass": [[[0.02]], [[0.03]], [[0.04]], [[2.0]], [[2.0]], [[2.0]]],
        "free_velocity": vfree.tolist(),
        "contacts": [
            {
                "mu": mu[k],
                "normal": pair(J[3 * k]),
                "t1": pair(J[3 * k + 1]),
                "t2": pair(J[3 * k + 2]),
                "bias": w[3 * k : 3 * k + 3].tolist(),
            }
            for k in range(3)
        ],
    },
    open(out + "block-global.json", "w"),
)
