"""Go back to a moment, or on in another process: the same path to the bit."""

import pickle

import gudgeon

sim = gudgeon.Simulation(gudgeon.Model.builtin("ragdoll"))
sim.step(400)
moment = sim.snapshot()
elsewhere = pickle.loads(pickle.dumps(sim))

sim.step(200)
expected = sim.state_hash
sim.restore(moment)
sim.step(200)
elsewhere.step(200)
assert sim.state_hash == elsewhere.state_hash == expected
print(f"{expected:#018x}")
