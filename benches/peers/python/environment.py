"""The environment that the comparisons run in: made once under target/, with the peers that can be had and this package."""

import os
import shutil
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
    # as a wheel to be handed out is built, which is what the peers' packages are
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "python")}
    wheels = ROOT / "target" / "peers-wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    build = ["build", "--profile", "dist", "--quiet", "-m", ROOT / "python" / "Cargo.toml", "-o", wheels, "-i", python]
    subprocess.run([VENV / "bin" / "maturin", *build], check=True, env=environment)
    install = ["-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", *wheels.glob("gudgeon-*.whl")]
    subprocess.run([python, *install], check=True)
    os.execv(python, [str(python), *sys.argv])
