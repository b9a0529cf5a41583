"""Solve a linear complementarity problem, and see how good the answer is."""

import gudgeon

# four legs on the floor, three degrees of freedom: M is singular and the forces are not unique
M = [[3, 1, 1, -1], [1, 3, -1, 1], [1, -1, 3, 1], [-1, 1, 1, 3]]
answer = gudgeon.solve_lcp(M, [-1, -1, -1, -1])
print(answer.status, answer.z, answer.residual)
assert answer.solved and answer.residual.natural <= 1e-9

for method in gudgeon.methods():
    other = gudgeon.solve_lcp(M, [-1, -1, -1, -1], method=method)
    print(f"{method:14} {other.status:10} {other.pivots:3} pivots")
