"""Linear-quadratic control from the derivative of one step: a pole is kept upright on its cart."""

import numpy as np

import gudgeon

urdf = """<robot name="cart-pole">
  <link name="world"/>
  <link name="cart"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="pole"><inertial><origin xyz="0 0 0.5"/><mass value="0.3"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="world"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1000" velocity="100"/></joint>
  <joint name="hinge" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 1 0"/></joint>
</robot>"""
model = gudgeon.Model.from_text(urdf, "urdf").replace(dt=0.01)
sim = gudgeon.Simulation(model)

# upright, at rest: what does one step do to a small deviation, and what can the cart's force do about it
lin = sim.linearize()
A, B = lin.A, lin.B[:, :1]
Q, R = np.eye(4), np.array([[0.1]])
P = Q
for _ in range(2000):  # the discrete Riccati equation, by iteration
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)

sim.q = [0.0, 0.2]
for _ in range(600):
    x = np.concatenate([sim.q, sim.v])
    sim.control[0] = -(K @ x)[0]
    sim.step()
print("after six seconds:", sim.q, sim.v)
assert np.abs(sim.q).max() < 1e-2 and np.abs(sim.v).max() < 1e-2
