"""Drake's LCP solvers, called where they live in its shared library.

The Python bindings offer only `Solve(program)`, which for Moby means the regularised Lemke: several attempts with a
growing diagonal. The single algorithms are exported by the library, and Eigen's matrices are a pointer and their
sizes, so they can be called without a compiler. Each call gets a new solver and an empty z: both would otherwise
start from the last answer.
"""

import ctypes
import sys
from importlib.metadata import version
from pathlib import Path

import pydrake
import pydrake.solvers  # loads what libdrake.so stands on

from worker import serve

MOBY = "5drake7solvers13MobyLcpSolver"
UNREVISED = "5drake7solvers20UnrevisedLemkeSolverIdE"
MATRIX = "ERKN5Eigen6MatrixIdLin1ELin1ELi0ELin1ELin1EEE"
VECTOR = "RKNS{}_IdLin1ELi1ELi0ELin1ELi1EEEPS{}_"
DOUBLE = ctypes.c_double
# class, method with its mangled arguments, and the arguments after M, q, z: the defaults of Drake's headers
ALGORITHMS = {
    "moby-fast": (MOBY, "12SolveLcpFast" + MATRIX + VECTOR.format(3, 7) + "d", [DOUBLE(-1.0)]),
    "moby-lemke": (
        MOBY,
        "13SolveLcpLemke" + MATRIX + VECTOR.format(3, 7) + "dd",
        [DOUBLE(-1.0), DOUBLE(-1.0)],
    ),
    "moby-regularised": (
        MOBY,
        "24SolveLcpLemkeRegularized" + MATRIX + VECTOR.format(3, 7) + "ijidd",
        [ctypes.c_int(-20), ctypes.c_uint(1), ctypes.c_int(1), DOUBLE(-1.0), DOUBLE(-1.0)],
    ),
    "unrevised": (UNREVISED, "13SolveLcpLemke" + MATRIX + VECTOR.format(4, 8) + "PiRKd", None),
}


class Matrix(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rows", ctypes.c_ssize_t), ("cols", ctypes.c_ssize_t)]


class Vector(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rows", ctypes.c_ssize_t)]


class Drake:
    version = version("drake")

    def __init__(self, algorithm):
        owner, method, self.rest = ALGORITHMS[algorithm]
        library = ctypes.CDLL(str(Path(pydrake.__file__).parent / "lib" / "libdrake.so"))
        self.construct = getattr(library, f"_ZN{owner}C1Ev")
        self.destroy = getattr(library, f"_ZN{owner}D1Ev")
        self.method = getattr(library, f"_ZNK{owner}{method}")
        self.method.restype = ctypes.c_bool
        self.pivots = ctypes.c_int(0)
        if self.rest is None:
            self.tolerance = DOUBLE(-1.0)
            self.rest = [ctypes.byref(self.pivots), ctypes.byref(self.tolerance)]
        self.memory = ctypes.create_string_buffer(4096)  # more than either class takes
        self.alive = False
        self.z = Vector(None, 0)

    def load(self, m, q):
        self.arrays = (m, q)
        self.m, self.q = Matrix(m.ctypes.data, len(q), len(q)), Vector(q.ctypes.data, len(q))
        self.arguments = [ctypes.byref(v) for v in (self.memory, self.m, self.q, self.z)] + self.rest

    def reset(self):
        if self.alive:
            self.destroy(ctypes.byref(self.memory))
        self.construct(ctypes.byref(self.memory))
        self.alive = True
        self.z.rows = 0  # empty: Eigen frees and allocates as it needs

    def solve(self):
        return self.method(*self.arguments)

    def answer(self, success):
        n = self.z.rows
        z = (ctypes.c_double * n).from_address(self.z.data) if n else []
        return bool(success) and n == len(self.arrays[1]), f"returned {success}", list(z), self.pivots.value


if __name__ == "__main__":
    serve(Drake(sys.argv[1]))
