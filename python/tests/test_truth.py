"""Bad calls are exceptions, what is written is whole, energy is not made."""

import random
from pathlib import Path

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
