"""A page to be mailed, and a picture without a window."""

import tempfile
from pathlib import Path

import gudgeon

sim = gudgeon.Simulation(gudgeon.Model.builtin("ragdoll"))
sim.record(fps=60)
sim.step(800)
with tempfile.TemporaryDirectory() as folder:
    page = sim.replay(title="A fall").save(Path(folder) / "fall.html")
    print(f"{page.name}: {page.stat().st_size / 1e3:.0f} kB, {sim.frames} frames")
picture = sim.render(320, 240)
print(picture.shape, picture.dtype)
