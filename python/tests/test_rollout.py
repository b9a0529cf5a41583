"""Many copies: the same bits on any number of threads, parameters of their own, failures kept apart."""

import signal
import threading

import numpy as np
import pytest

import gudgeon

RAGDOLL = gudgeon.Model.builtin("ragdoll")
SLOPE = gudgeon.Model.builtin("slope")


def starts(model, copies, seed=0):
    rng = np.random.default_rng(seed)
    x = np.tile(np.concatenate([model.q0, model.v0]), (copies, 1))
    x[:, model.nq :] += rng.normal(0, 0.1, (copies, model.nv))
    return x


def test_the_bits_do_not_depend_on_threads():
    x0 = starts(RAGDOLL, 6)
    u = np.random.default_rng(1).normal(0, 2, (6, 40, RAGDOLL.nv))
    u[:, :, :6] = 0
    one = gudgeon.rollout(RAGDOLL, x0, u, threads=1, substeps=12)
    for threads in (2, 3, 7):
        other = gudgeon.rollout(RAGDOLL, x0, u, threads=threads, substeps=12)
        assert np.array_equal(one.states, other.states) and np.array_equal(one.force, other.force)
    assert one.contacts.max() > 0


def test_a_rollout_says_what_it_took_in_a_few_lines():
    done = gudgeon.rollout(RAGDOLL, starts(RAGDOLL, 3), steps=20)
    assert done.fallback.shape == done.status.shape == (3, 20) and done.fallback.max() < len(gudgeon.FALLBACKS)
    told = repr(done)
    assert told.startswith("Rollout of 3 copies over 20 steps") and len(told.splitlines()) == 3
    taken = sum(int(word) for word in told.rsplit(": ")[-1].replace(",", "").split() if word.isdigit())
    assert taken == np.count_nonzero(done.fallback)


def test_a_copy_goes_as_a_simulation_does():
    x0 = starts(RAGDOLL, 3)
    done = gudgeon.rollout(RAGDOLL, x0, steps=50)
    sim = gudgeon.Simulation(RAGDOLL)
    sim.q, sim.v = x0[1, : RAGDOLL.nq], x0[1, RAGDOLL.nq :]
    for t in range(50):
        sim.step()
        assert np.array_equal(done.q[1, t], sim.q) and np.array_equal(done.v[1, t], sim.v)
    assert done.contacts[1, -1] == len(sim.contacts)


def test_a_diverging_copy_is_flagged_and_poisons_nobody():
    x0 = starts(RAGDOLL, 4)
    u = np.zeros((4, 20, RAGDOLL.nv))
    u[2, 10:] = 1e300
    done = gudgeon.rollout(RAGDOLL, x0, u)
    assert done.diverged.tolist() == [False, False, True, False]
    assert (done.status[2, :10] != gudgeon.DIVERGED).all() and (done.status[2, -1] == gudgeon.DIVERGED).all()
    assert np.isnan(done.states[2, -1]).all()
    alone = gudgeon.rollout(RAGDOLL, x0[[0, 1, 3]], u[[0, 1, 3]])
    assert np.array_equal(done.states[[0, 1, 3]], alone.states)
    nowhere = x0.copy()
    nowhere[1, 0] = np.nan
    assert gudgeon.rollout(RAGDOLL, nowhere, u * 0).diverged.tolist() == [False, True, False, False]


def test_friction_may_differ_from_copy_to_copy():
    friction = np.array([0.0, 0.1, 2.0])
    done = gudgeon.rollout(SLOPE, steps=300, parameters={"friction": friction})
    moved = np.linalg.norm(done.q[:, -1, 4:7] - SLOPE.q0[4:7], axis=1)
    assert moved[0] > moved[1] > moved[2] and moved[2] < 1e-6


def test_masses_and_gains_may_differ():
    arm = gudgeon.Model.from_text(
        """
        [[body]]
        name = "arm"
        shape = { capsule = [0.1, 0.02], position = [0.1, 0.0, 0.0] }
        mass = 1.0
        [[joint]]
        type = "revolute"
        child = "arm"
        axis = [0.0, 1.0, 0.0]
        [[controller]]
        type = "pd"
        joint = "arm"
        target = 0.0
        stiffness = 50.0
        damping = 5.0
        """
    )
    done = gudgeon.rollout(arm, steps=3000, parameters={"mass": np.array([1.0, 2.0, 1.0])})
    assert done.q[1, -1, 0] == pytest.approx(2 * done.q[0, -1, 0], rel=1e-2), "twice the mass sags twice as far"
    stiff = gudgeon.rollout(arm, steps=3000, parameters={"stiffness": np.array([[1.0], [2.0]])})
    assert stiff.q[1, -1, 0] == pytest.approx(0.5 * stiff.q[0, -1, 0], rel=1e-2)
    targets = gudgeon.rollout(arm, u=np.full((3, 2000, 1), 0.5) * [[[0.0]], [[1.0]], [[2.0]]], drive="controllers")
    assert targets.q[2, -1, 0] - targets.q[0, -1, 0] == pytest.approx(1.0, abs=0.05)


def test_progress_is_told_and_control_c_is_heard():
    told = []
    gudgeon.rollout(SLOPE, starts(SLOPE, 5), steps=5, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        gudgeon.rollout(RAGDOLL, starts(RAGDOLL, 4), steps=1_000_000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(x0=np.zeros((2, 3)), steps=1), "x0 has shape"),
        (dict(u=np.zeros((2, 5, 3))), r"u has shape \(2, 5, 3\), expected \(2, 5, 6\)"),
        (dict(), "give u or steps"),
        (dict(steps=1, drive="thought"), "drive is 'thought'"),
        (dict(steps=1, substeps=0), "substeps is 0"),
        (dict(steps=1, parameters={"friction": np.array([-1.0])}), "no negative number"),
    ],
)
def test_mistakes_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        gudgeon.rollout(SLOPE, **options)


def test_a_batch_is_stepped_like_a_rollout():
    x0 = starts(RAGDOLL, 4)
    batch = gudgeon.Batch(RAGDOLL, 4, threads=2)
    batch.reset(range(4), x0[:, : RAGDOLL.nq], x0[:, RAGDOLL.nq :])
    q = batch.q
    for _ in range(20):
        batch.step(substeps=2)
    assert q.__array_interface__["data"][0] == batch.q.__array_interface__["data"][0]
    done = gudgeon.rollout(RAGDOLL, x0, steps=20, substeps=2)
    assert np.array_equal(batch.q, done.q[:, -1]) and np.array_equal(batch.v, done.v[:, -1])
    batch.reset([1])
    assert np.array_equal(batch.q[1], RAGDOLL.q0) and np.array_equal(batch.q[0], done.q[0, -1])
