"""Siconos' solvers of LCPs, its lexicographic Lemke unless another is named, for the Python that Debian's package python3-siconos belongs to."""

import subprocess
import sys

import numpy as np
import siconos.numerics as sn

from worker import serve


def package_version():
    query = ["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "of unknown version"


METHODS = {"lemke": sn.SICONOS_LCP_LEMKE, "murty": sn.SICONOS_LCP_MURTY, "pgs": sn.SICONOS_LCP_PGS}
METHOD = METHODS[sys.argv[1] if len(sys.argv) > 1 else "lemke"]


class Siconos:
    version = package_version()

    def load(self, m, q):
        self.problem = sn.LCP(m, q)
        self.z, self.w = np.zeros(len(q)), np.zeros(len(q))
        self.options = sn.SolverOptions(METHOD)

    def reset(self):
        self.z[:] = 0.0
        self.w[:] = 0.0

    def solve(self):
        return sn.linearComplementarity_driver(self.problem, self.z, self.w, self.options)

    def answer(self, info):
        return info == 0, f"info {info}", self.z, int(self.options.iparam[1])


if __name__ == "__main__":
    serve(Siconos())
