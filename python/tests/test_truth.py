"""Bad calls are exceptions, what is written is whole, energy is not made."""

import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import gudgeon


def test_more_copies_than_the_machine_has_room_for_are_a_memory_error() -> None:
    model = gudgeon.Model.builtin("slope")
    with pytest.raises(MemoryError, match="GB"):
        gudgeon.Batch(model, 10**12)
    with pytest.raises(MemoryError, match="GB"):
        gudgeon.rollout(model, steps=10**15)
    with pytest.raises(MemoryError):
        gudgeon.rollout(model, steps=2**62)


def test_numbers_that_are_no_steps_and_no_orientations_are_value_errors() -> None:
    model = gudgeon.Model.builtin("slope")
    sim = gudgeon.Simulation(model)
    with pytest.raises(ValueError, match="-1"):
        sim.step(-1)
    q = np.array(sim.q)
    q[:4] = 0.0
    with pytest.raises(ValueError, match="quaternion"):
        sim.q = q
    with pytest.raises(ValueError, match="quaternion"):
        gudgeon.rollout(model, np.concatenate([q, sim.v])[None], steps=3)
    batch = gudgeon.Batch(model, 2)
    with pytest.raises(ValueError, match="quaternion"):
        batch.reset([0], q=q[None])
    sim.step(2)
    assert sim.steps == 2


def test_flipped_bits_and_cuts_of_snapshots_are_refused() -> None:
    sim = gudgeon.Simulation(gudgeon.Model.builtin("stack"))
    sim.step(10)
    whole = bytes(sim.snapshot())
    rng = random.Random(14)
    for k in range(500):
        bad = bytearray(whole)
        if k % 4 == 0:
            del bad[rng.randrange(len(bad)) :]
        else:
            bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        with pytest.raises(gudgeon.SnapshotError):
            sim.restore(bytes(bad))
    sim.restore(whole)
    other = gudgeon.Simulation(gudgeon.Model.builtin("stack").replace(dt=0.002))
    with pytest.raises(gudgeon.SnapshotError, match="step length"):
        other.restore(whole)


def test_copies_with_masses_of_their_own_go_back_to_the_start() -> None:
    batch = gudgeon.Batch(gudgeon.Model.builtin("stack"), 2, parameters={"mass": np.array([1.0, 3.0])})
    start = np.array(batch.q)
    batch.step(substeps=20)
    batch.reset([0, 1])
    assert np.array_equal(start, batch.q)


def test_a_brick_keeps_its_energy() -> None:
    text = """
gravity = [0.0, 0.0, 0.0]
dt = 0.01
[[body]]
name = "brick"
shape = { box = [0.1, 0.05, 0.15] }
mass = 1.0
angular_velocity = [15.0, 15.0, 15.0]
"""
    sim = gudgeon.Simulation(gudgeon.Model.from_text(text))
    before = float(np.sum(sim.energy))
    sim.step(1000)
    assert abs(float(np.sum(sim.energy)) / before - 1.0) < 1e-6


def test_what_an_interrupted_run_left_empty_is_done_again(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from gudgeon.ray import sweep

    def run() -> dict[str, bytes]:
        model = gudgeon.Model.builtin("slope")
        sweep(model, {"friction": [0.3, 0.4, 0.5, 0.6]}, out=tmp_path, steps=3, piece=2, cluster=False)
        return {p.name: p.read_bytes() for p in sorted(tmp_path.iterdir())}

    whole = run()
    for name in ("run.json", "piece-000001.parquet"):
        (tmp_path / name).write_bytes(b"")
        assert run() == whole, name


@contextmanager
def ctrl_c(number: signal.Signals = signal.SIGINT) -> Iterator[None]:
    """A signal a tenth of a second from now."""
    timer = threading.Timer(0.1, signal.raise_signal, (number,))
    timer.start()
    try:
        yield
    finally:
        timer.join()


def murty(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Murty's example: 2^n pivots by the method of his name."""
    return np.triu(np.full((n, n), 2.0), 1) + np.eye(n), -np.ones(n)


def endless() -> gudgeon.Model:
    """Forty boxes by a method that takes minutes a step; it gives up before the test does."""
    return gudgeon.Model.builtin("stack", boxes=40).replace(method="pgs", budget=10**9, seconds=60.0)


def test_ctrl_c_ends_a_solve_that_is_under_way() -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        gudgeon.solve_lcp(*murty(40), method="murty", budget=10**12, seconds=60.0)


def test_a_signal_that_raises_nothing_ends_nothing() -> None:
    heard = []

    def handler(_number: int, _frame: FrameType | None) -> None:
        heard.append(gudgeon.solve_lcp(*murty(3)).status)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with ctrl_c(signal.SIGUSR1):
            answer = gudgeon.solve_lcp(*murty(40), method="murty", budget=10**12, seconds=0.5)
    finally:
        signal.signal(signal.SIGUSR1, before)
    # while the solve went on, which is what its budget ended
    assert heard == ["solved"]
    assert answer.status == "budget"


def test_ctrl_c_ends_a_step_as_if_it_had_not_begun() -> None:
    sim = gudgeon.Simulation(endless())
    sim.control[:] = 0.01
    before, held = bytes(sim.snapshot()), sim.contacts
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        sim.step(3)
    assert sim.steps == 0
    assert bytes(sim.snapshot()) == before
    assert len(held) == 0
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        sim.linearize()
    assert bytes(sim.snapshot()) == before


def test_ctrl_c_leaves_the_copies_of_a_batch_at_whole_steps() -> None:
    batch = gudgeon.Batch(endless(), 3, threads=2)
    before = [bytes(batch.snapshot(k)) for k in range(3)]
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        batch.step(substeps=4)
    assert [bytes(batch.snapshot(k)) for k in range(3)] == before
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        gudgeon.rollout(endless(), steps=5, threads=1)
