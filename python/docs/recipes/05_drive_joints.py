"""Springs towards a target, forces, motors: the controllers of a scene, driven from Python."""

import numpy as np

import gudgeon

model = gudgeon.Model.from_text("""
[[body]]
name = "arm"
shape = { capsule = [0.2, 0.03], position = [0.2, 0.0, 0.0], orientation = [0.7071067811865476, 0.0, 0.7071067811865475, 0.0] }
mass = 1.0
[[joint]]
type = "revolute"
child = "arm"
position = [0.0, 0.0, 1.0]
axis = [0.0, -1.0, 0.0]
[[controller]]
type = "pd"
joint = "arm"
target = 0.0
stiffness = 400.0
damping = 20.0
effort = 100.0
""")
sim = gudgeon.Simulation(model)
print(model.nu, model.controllers)
for target in np.linspace(0.0, 1.0, 200):
    sim.set_controls([target])
    sim.step(5)
print("reached", sim.q, "with", sim.joint_forces)
assert abs(sim.q[0] - 1.0) < 0.1
