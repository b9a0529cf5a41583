"""QuantEcon's lcp_lemke, compiled by numba before the first request, with its memory lent."""

import numpy as np
import quantecon
from quantecon.optimize import lcp_lemke

from worker import serve


class QuantEcon:
    version = quantecon.__version__

    def load(self, m, q):
        n = len(q)
        self.m, self.q, self.d = np.ascontiguousarray(m), q, np.ones(n)
        self.tableau = np.empty((n, 2 * n + 2))
        self.basis, self.z = np.empty(n, dtype=np.int_), np.empty(n)

    def reset(self):
        pass

    def solve(self):
        return lcp_lemke(self.m, self.q, d=self.d, tableau=self.tableau, basis=self.basis, z=self.z)

    def answer(self, result):
        return bool(result.success), f"status {result.status}", result.z, int(result.num_iter)


if __name__ == "__main__":
    serve(QuantEcon())
