"""The command that the package installs is the one of the crates."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

INSTALLED = str(Path(sys.executable).with_name("gudgeon"))


def run(*words: str, program: tuple[str, ...] = (INSTALLED,)) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*program, *words], capture_output=True, text=True, check=False)


def test_version_is_the_package_s() -> None:
    told = run("--version")
    assert (told.returncode, told.stdout) == (0, f"gudgeon {version('gudgeon')}\n")


def test_module_and_script_print_the_same() -> None:
    script, module = run("sim", "--list"), run("sim", "--list", program=(sys.executable, "-m", "gudgeon"))
    assert script.returncode == module.returncode == 0
    assert "wall" in script.stdout
    assert script.stdout == module.stdout


def test_a_problem_is_solved_and_a_ray_is_told(tmp_path: Path) -> None:
    good, ray = tmp_path / "good.json", tmp_path / "ray.json"
    good.write_text(json.dumps({"kind": "lcp", "M": [[2.0, 1.0], [1.0, 2.0]], "q": [-5.0, -6.0]}))
    ray.write_text(json.dumps({"kind": "lcp", "M": [[0.0]], "q": [-1.0]}))
    assert run("solve", str(good)).returncode == 0
    assert run("solve", str(ray)).returncode == 1


def test_bad_words_are_named_and_leave_two() -> None:
    wrong = run("sim", "no-such-scene")
    assert wrong.returncode == 2
    assert "no-such-scene" in wrong.stderr
    assert run("no-such-command").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_run_whole(tmp_path: Path) -> None:
    kept = tmp_path / "run.gud"
    running = subprocess.Popen([INSTALLED, "sim", "wall", "--duration", "1000", "--record", str(kept)])
    # a run that has written is a run that listens
    for _ in range(600):
        if kept.exists() and kept.stat().st_size > 0:
            break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=60) == 130
    assert run("view", str(kept), "-o", str(tmp_path / "run.html")).returncode == 0
