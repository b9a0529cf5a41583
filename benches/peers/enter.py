"""An environment of the peers' own: made on first use, and entered by beginning the script again there."""
import os
import subprocess
import sys
from pathlib import Path


def enter(folder, packages):
    """Goes on in the environment `folder`, which has `packages`; one that was made half is made again."""
    folder = Path(folder)
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        (folder / "complete").touch()
    if Path(sys.prefix).resolve() != folder.resolve():
        os.execv(python, [str(python), *sys.argv])
