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


ARM = """
friction = 0.5
[[static]]
shape = { plane = {} }
[[body]]
name = "base"
shape = { box = [0.1, 0.1, 0.05] }
mass = 2.0
position = [0.0, 0.0, 0.05]
[[body]]
name = "ball"
shape = { sphere = 0.1 }
mass = 1.0
position = [1.0, 0.0, 0.3]
"""


def test_everything_may_differ_from_copy_to_copy():
    model = gudgeon.Model.from_text(ARM)
    z = model.q_range("ball")[0] + 6
    gravity = gudgeon.rollout(model, steps=100, parameters={"gravity": [[0, 0, 0], [0, 0, -9.81], [0, 0, -1.6]]})
    fallen = 0.3 - gravity.q[:, -1, z]
    assert fallen[0] == 0 and fallen[2] / fallen[1] == pytest.approx(1.6 / 9.81, rel=1e-3)
    dt = gudgeon.rollout(model, steps=50, parameters={"dt": [0.001, 0.002]})
    speeds = dt.v[:, -1, model.v_range("ball")[0] + 5]
    assert speeds[1] == pytest.approx(2 * speeds[0])
    bounce = gudgeon.rollout(model, steps=400, parameters={"restitution": {"ball": [0.0, 1.0]}}, returns=["states"])
    high = [bounce.q[k, 250:, z].max() for k in range(2)]
    # of a pair the geometric mean counts: the ground has none
    assert high[0] == pytest.approx(high[1], abs=1e-3)
    both = gudgeon.rollout(model, steps=400, parameters={"restitution": [0.0, 1.0]})
    assert both.q[1, 250:, z].max() > 0.25 and both.q[0, 250:, z].max() < 0.101
    size = gudgeon.rollout(model, steps=900, parameters={"size": {"ball": [1.0, 1.5]}})
    assert size.q[:, -1, z] == pytest.approx([0.1, 0.15], abs=1e-6)
    heavy = gudgeon.rollout(model, steps=900, parameters={"mass": {"ball": [1.0, 3.0]}}, returns=["wrenches"])
    weight = heavy.wrenches[:, -1, model.link("ball"), 5]
    assert weight == pytest.approx([9.81, 29.43], rel=1e-6) and heavy.states.shape[1] == 1
    # pushed by 8 N the base holds with friction 0.5 and slides where its own link is smooth
    u = np.zeros((600, model.nv))
    u[:, model.v_range("base")[0] + 3] = 8.0
    slid = gudgeon.rollout(model, u=u, parameters={"friction": {"base": [0.5, 0.05]}})
    at = model.q_range("base")[0] + 4
    assert slid.q[0, -1, at] < 1e-6 < 0.05 < slid.q[1, -1, at]
    tilted = gudgeon.rollout(model, steps=300, parameters={"com": {"base": [[0, 0, 0], [0.2, 0, 0]]}})
    turned = np.abs(tilted.q[:, -1, model.q_range("base")[0] + 2])
    assert turned[0] < 1e-9 and turned[1] > 0.01, "a centre beyond the edge tips it"


def test_joints_and_drives_may_differ():
    arm = gudgeon.Model.from_text(
        """
        gravity = [0.0, 0.0, 0.0]
        [[body]]
        name = "arm"
        shape = { capsule = [0.1, 0.02] }
        mass = 1.0
        [[joint]]
        type = "revolute"
        child = "arm"
        axis = [0.0, 1.0, 0.0]
        [[controller]]
        type = "pd"
        joint = "arm"
        target = 1.0
        stiffness = 50.0
        damping = 1.0
        effort = 0.01
        """
    )
    steps = 20
    effort = gudgeon.rollout(arm, steps=steps, parameters={"effort": [1.0, 2.0]})
    assert effort.v[1, -1, 0] == pytest.approx(2 * effort.v[0, -1, 0], rel=1e-6)
    slow = gudgeon.rollout(arm, steps=steps, parameters={"armature": {"arm": [0.0, 0.1]}})
    assert slow.v[1, -1, 0] < 0.2 * slow.v[0, -1, 0]
    spun = np.array([0.0, 5.0])
    damped = gudgeon.rollout(arm, spun, steps=200, parameters={"joint_damping": [0.0, 0.1], "effort": [0.0, 0.0]})
    assert damped.v[0, -1, 0] == pytest.approx(5.0) and damped.v[1, -1, 0] < 0.5
    rubbed = gudgeon.rollout(arm, spun, steps=200, parameters={"joint_friction": [0.0, 0.2], "effort": [0.0, 0.0]})
    assert rubbed.v[0, -1, 0] == pytest.approx(5.0) and abs(rubbed.v[1, -1, 0]) < 1e-9


def test_a_varied_model_is_the_copy_with_those_numbers():
    import pickle

    model = gudgeon.Model.from_text(ARM)
    numbers = {"friction": {"base": 0.2}, "gravity": [0.1, 0.0, -9.0], "size": 1.1, "dt": 0.002}
    varied = model.vary(**numbers)
    sim = gudgeon.Simulation(varied)
    sim.step(300)
    rows = {"friction": {"base": [0.2]}, "gravity": [[0.1, 0.0, -9.0]], "size": [1.1], "dt": [0.002]}
    done = gudgeon.rollout(model, steps=300, parameters=rows)
    assert np.array_equal(done.q[0, -1], sim.q)
    again = gudgeon.Simulation(pickle.loads(pickle.dumps(varied.replace(friction=0.9))))
    again.step(300)
    other = gudgeon.Simulation(varied.replace(friction=0.9))
    other.step(300)
    assert np.array_equal(again.q, other.q) and not np.array_equal(again.q, sim.q)


def test_rollouts_begin_at_snapshots():
    sim = gudgeon.Simulation(RAGDOLL)
    sim.apply_force("torso" if "torso" in RAGDOLL.links else RAGDOLL.links[1], [0.0, 0.0, 50.0])
    sim.step(150)
    mark = sim.snapshot()
    done = gudgeon.rollout(RAGDOLL, mark, steps=30)
    sim.step(30)
    assert np.array_equal(done.q[0, -1], sim.q), "contacts, forces and memory included: to the bit"
    later = sim.snapshot()
    both = gudgeon.rollout(RAGDOLL, [mark, later], steps=30, threads=2)
    assert np.array_equal(both.q[0], done.q[0]) and not np.array_equal(both.q[1], done.q[0])
    many = gudgeon.rollout(RAGDOLL, mark, steps=10, parameters={"friction": [0.1, 0.5, 1.0]})
    assert many.q.shape[0] == 3
    with pytest.raises(gudgeon.SnapshotError, match="copy 1"):
        gudgeon.rollout(RAGDOLL, [mark, b"nonsense"], steps=1)


def test_what_is_returned_can_be_chosen():
    x0 = starts(RAGDOLL, 2)
    done = gudgeon.rollout(RAGDOLL, x0, steps=60, substeps=12, returns=("contacts", "wrenches", "joint_forces"))
    assert done.states.shape[1] == 1 and done.joint_forces.shape == (2, 60, RAGDOLL.nv)
    whole = gudgeon.rollout(RAGDOLL, x0, steps=60, substeps=12)
    assert np.array_equal(done.states[:, 0], whole.states[:, -1])
    seen = 0
    for copy in range(2):
        for t in range(60):
            contacts = done.contacts_of(copy, t)
            assert len(contacts) == done.contacts[copy, t]
            assert (contacts["force"] * contacts["normal"]).sum() == pytest.approx(done.force[copy, t])
            seen += len(contacts)
        assert np.abs(done.wrenches[copy].sum(axis=1)[:, 3:]).max() < 1e-9, "action and reaction"
    assert seen > 0
    with pytest.raises(ValueError, match="kept no contacts"):
        whole.contacts_of(0, 0)
    with pytest.raises(ValueError, match="returns has 'thoughts'"):
        gudgeon.rollout(RAGDOLL, x0, steps=1, returns=["thoughts"])


def test_a_policy_closes_the_loop():
    model = gudgeon.Model.from_text(ARM)
    at, along = model.q_range("base")[0] + 4, model.v_range("base")[0] + 3

    def pull(t, q, v, touch):
        u = np.zeros(v.shape)
        u[:, along] = 200.0 * (0.3 - q[:, at]) - 40.0 * v[:, along]
        return u

    done = gudgeon.rollout(model, steps=1500, policy=pull, parameters={"friction": [0.1, 0.3]})
    assert np.allclose(done.q[:, -1, at], 0.3, atol=0.05) and done.contacts[:, -1].min() >= 4
    with pytest.raises(ValueError, match="not both"):
        gudgeon.rollout(model, u=np.zeros((3, model.nv)), policy=pull)


def test_a_batch_is_pushed_and_given_new_numbers_at_a_reset():
    model = gudgeon.Model.from_text(ARM)
    batch = gudgeon.Batch(model, 3, threads=2)
    batch.apply_force("base", [[0, 0, 0], [8, 0, 0], [12, 0, 0]])
    for _ in range(300):
        batch.step()
    at = model.q_range("base")[0] + 4
    assert np.abs(batch.q[:2, at]).max() < 1e-6 and batch.q[2, at] > 0.03, "friction holds 9.81 N"
    held = batch.snapshot(2)
    batch.clear_forces()
    batch.reset([1, 2], parameters={"friction": [0.01, 0.5], "gravity": [[2.0, 0, -9.81], [0, 0, -9.81]]})
    batch.step(substeps=300)
    assert batch.q[1, at] > 0.05 and abs(batch.q[2, at]) < 1e-9
    batch.restore([0], [held])
    assert batch.q[0, at] > 0.03
    with pytest.raises(ValueError, match="copies has 3"):
        batch.apply_force("base", [[0, 0, 1]], copies=[3])
    assert batch.wrenches.shape == (3, 3, 6) and batch.sums.shape == (3, 5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"friction": {"tail": [1.0]}}, "no such link"),
        ({"colour": [1.0]}, "expected friction, restitution"),
        ({"gravity": [0.0, 0.0, -1.0]}, r"expected \(3, 3\)"),
        ({"size": [0.0]}, "positive"),
        ({"restitution": [1.5]}, "from 0 to 1"),
        ({"friction": [[0.1], [0.2, 0.3]]}, "rows of one length"),
    ],
)
def test_mistakes_in_parameters_are_named(parameters, message):
    with pytest.raises((ValueError, KeyError, TypeError), match=message):
        gudgeon.rollout(gudgeon.Model.from_text(ARM), steps=1, parameters=parameters)
