"""Where the models of the zoo are, and MuJoCo. Importing this enters an environment of our own, made on first use.

Packages are downloaded as wheels and unpacked, not installed: only their model files are wanted. The menagerie is cloned.
GUDGEON_ZOO names the folder (out/peers/zoo otherwise); what is there already is taken as it is.
"""
import os
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ZOO = Path(os.environ.get("GUDGEON_ZOO", ROOT / "out" / "peers" / "zoo")).resolve()
VENV = Path(os.environ.get("GUDGEON_ZOO_VENV", ZOO / "venv")).resolve()
MODELS = ZOO / "models"
MENAGERIE = "https://github.com/google-deepmind/mujoco_menagerie"
PACKAGES = [
    "dm_control", "gymnasium", "gymnasium-robotics", "brax", "robosuite", "robosuite_models", "metaworld", "playground",
    "gym-aloha", "gym-xarm", "safety-gymnasium", "myosuite", "myo_sim", "mani_skill", "dm_robotics_moma", "dm_robotics_panda",
    "icub-models", "rtb-data", "example-robot-data", "pybullet",
]  # fmt: skip


def enter():
    """Goes on in the environment with MuJoCo in it."""
    python = VENV / "bin" / "python"
    ZOO.mkdir(parents=True, exist_ok=True)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "mujoco", "numpy"], check=True)
    if Path(sys.prefix).resolve() != VENV:
        os.execv(python, [str(python), *sys.argv])


def unpack():
    """Every package of the list below MODELS, in a folder of its own."""
    for package in PACKAGES:
        folder = MODELS / package.replace("-", "_")
        if folder.exists():
            continue
        wheels = ZOO / "wheels" / package
        subprocess.run(
            [VENV / "bin" / "python", "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, package], check=True
        )
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
    menagerie = MODELS / "menagerie"
    if not menagerie.exists():
        subprocess.run(["git", "clone", "-q", "--depth", "1", MENAGERIE, menagerie], check=True)
    # where the playground looks for it
    for place in ["mujoco_menagerie", "mujoco_playground/mujoco_menagerie", "mujoco_playground/external_deps/mujoco_menagerie"]:
        link = MODELS / "playground" / place
        if not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(menagerie)
    # where myosuite looks for its own parts
    parts = MODELS / "myosuite" / "myosuite" / "envs" / "myo" / "assets" / "myo_sim"
    if not parts.exists():
        parts.symlink_to(MODELS / "myo_sim" / "myo_sim" / "models")
    site = next(VENV.glob("lib/*/site-packages"))
    tests = MODELS / "mujoco" / "testdata"
    if not tests.exists():
        tests.parent.mkdir(parents=True, exist_ok=True)
        tests.symlink_to(site / "mujoco" / "testdata")


def find(listed):
    """(kind, name, path) of the listed models, in order; a name keeps some of the folders of its path, in order."""
    files = {}
    for folder, _, names in os.walk(MODELS, followlinks=True):
        if "mujoco_menagerie" in folder:
            continue
        for name in names:
            if name.endswith((".xml", ".urdf")):
                path = Path(folder) / name
                files.setdefault((path.relative_to(MODELS).parts[0], name), []).append(path)
    found = []
    for line in listed.read_text().splitlines():
        parts = line.split("/")
        best = None
        for path in files.get((parts[0], parts[-1]), []):
            rest = iter(path.relative_to(MODELS).parts)
            if all(part in rest for part in parts) and (best is None or len(str(path)) < len(str(best))):
                best = path
        found.append(("URDF" if line.endswith(".urdf") else "MJCF", line, best))
    return found


def build(profile="release"):
    """The program that runs one model."""
    command = ["cargo", "build", "-q", "-p", "gudgeon-model", "--example", "zoo"]
    subprocess.run(command + (["--release"] if profile == "release" else []), cwd=ROOT, check=True)
    return ROOT / "target" / profile / "examples" / "zoo"


enter()
unpack()
