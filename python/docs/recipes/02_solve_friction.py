"""Contact with friction from your own mass matrix and Jacobian."""

import numpy as np

import gudgeon

# a block of 2 kg that rests on a point and is pushed along x: rows are (n, t1, t2)
mass = 2.0 * np.eye(3)
J = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
dt = 1e-3
for push in (5.0, 15.0):
    free_velocity = dt * np.array([push, 0, -2 * 9.81]) / 2.0
    answer = gudgeon.solve_friction(mass=mass, J=J, free_velocity=free_velocity, mu=[0.5])
    print(f"{push} N: {answer.mode[0]}, force {answer.impulse[0] / dt}")
assert answer.mode == ["slip"]
assert np.isclose(-answer.impulse[0, 1] / dt, 0.5 * 2 * 9.81)
