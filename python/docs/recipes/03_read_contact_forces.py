"""Who touches whom, where, how hard, and whether it slips."""

import numpy as np

import gudgeon

model = gudgeon.Model.builtin("stack", boxes=3).replace(canonical_forces=True)
sim = gudgeon.Simulation(model)
sim.step(500)
for contact, (a, b) in zip(sim.contacts, sim.contact_names):
    print(f"{a} on {b}: gap {contact['gap']:+.1e} m, force {contact['force']} N")

# what contacts do to a link, and what one link does to another: torque, then force
top = model.links[-1]
weight = model.masses[-1] * 9.81
assert np.isclose(sim.wrench(top)[5], weight, rtol=1e-9)
print("net on", top, sim.wrench(top))
