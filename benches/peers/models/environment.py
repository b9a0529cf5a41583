"""Where the peers' packages and their models are. Importing this enters an environment of our own, made on first use."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "out" / "peers" / "models"
VENV = Path(os.environ.get("GUDGEON_PEERS_VENV", OUT / "venv"))
PACKAGES = ["mujoco", "dm_control", "gymnasium", "example-robot-data", "pin", "pybullet"]
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from enter import enter  # noqa: E402

enter(VENV, PACKAGES)
SITE = next(VENV.glob("lib/*/site-packages"))
SHARE = SITE / "cmeel.prefix" / "share"


def build(package, *what, profile="release"):
    """The folder of a package's programs, built."""
    command = ["cargo", "build", "-q", "-p", package, *what]
    subprocess.run(command + (["--release"] if profile == "release" else []), cwd=ROOT, check=True)
    return ROOT / "target" / profile
