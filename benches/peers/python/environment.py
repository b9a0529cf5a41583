"""The environment that the comparisons run in: made once under target/, with the peers that can be had and this package."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
VENV = ROOT / "target" / "peers-python"


def enter():
    """Goes on in that environment: the script begins again there."""
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not python.exists():
        VENV.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "numpy", "maturin>=1.16,<2"], check=True)
        for peer in ("mujoco", "dartpy", "pybullet"):
            if subprocess.run([python, "-m", "pip", "install", "-q", "--only-binary", ":all:", peer]).returncode:
                print(f"skipped: {peer} (not to be had here)", file=sys.stderr)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "python")}
    build = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", str(ROOT / "python")]
    environment["PATH"] = f"{VENV / 'bin'}{os.pathsep}{environment['PATH']}"
    subprocess.run([python, *build], check=True, env=environment)
    os.execv(python, [str(python), *sys.argv])
