"""A robot from URDF, and what became of every element of the file."""

import numpy as np

import gudgeon

urdf = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.25"/><mass value="1"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 -0.25"/><mass value="1"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/></joint>
</robot>"""
model = gudgeon.Model.from_text(urdf, "urdf")  # Model.load("robot.urdf") for a file
print(model, model.dofs)
print(model.report)

sim = gudgeon.Simulation(model)
sim.q = [0.4, -0.3]
print("M =", sim.mass_matrix(), "tip moves with", sim.jacobian("lower"))

# gravity compensation: the arm stays
for _ in range(200):
    sim.control[:] = sim.bias()
    sim.step()
assert np.allclose(sim.q, [0.4, -0.3], atol=1e-3)
