"""Rapier in double precision, through a small program of our own."""

import json
import os
import subprocess
from pathlib import Path

PROGRAM = Path(os.environ.get("SCOREBOARD_OUT", Path(__file__).resolve().parents[3] / "target" / "scoreboard")) / "rapier" / "release" / "scoreboard-rapier"
SETTINGS = {
    "rapier": ({}, "as it comes: 4 substeps, contacts of 30 Hz (60 against the world), simplified friction, no sleeping"),
    "rapier-stiff": (
        {"substeps": 20, "sweeps": 5, "hertz": 1e3, "slop": 1e-6, "clustering": False},
        "20 substeps of 5 sweeps, contacts of 1 kHz, a slop of a micrometre, no clusters of contacts; simplified friction, for "
        "its Coulomb friction was farther off",
    ),
}
if not PROGRAM.exists():
    raise ImportError(f"{PROGRAM} is not built")


def simulate(world, settings, seconds):
    command = [PROGRAM, json.dumps(settings), str(seconds)]
    done = subprocess.run(command, input=json.dumps(world), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    out = json.loads(done.stdout.replace("null", "NaN"))
    return out["states"], out["cpu"], out["steps"], out["late"]
