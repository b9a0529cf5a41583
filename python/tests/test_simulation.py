"""One simulation: memory shared with Rust, forces that add up, snapshots to the bit."""

import gc
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import gudgeon

CRATE = """
friction = 0.5
[[static]]
shape = { plane = {} }
[[body]]
name = "crate"
shape = { box = [0.1, 0.1, 0.05] }
mass = 1.0
position = [0.0, 0.0, 0.05]
"""

ARM = """
[[body]]
name = "upper"
shape = { capsule = [0.1, 0.02], position = [0.0, 0.0, -0.1] }
mass = 0.5
[[body]]
name = "lower"
shape = { capsule = [0.1, 0.02], position = [0.0, 0.0, -0.1] }
mass = 0.5
[[joint]]
type = "revolute"
child = "upper"
position = [0.0, 0.0, 1.0]
axis = [0.0, 1.0, 0.0]
[[joint]]
type = "revolute"
parent = "upper"
child = "lower"
position = [0.0, 0.0, -0.2]
axis = [0.0, 1.0, 0.0]
[[controller]]
type = "pd"
joint = "upper"
target = 0.5
stiffness = 20.0
damping = 1.0
[[controller]]
type = "force"
joint = "lower"
force = 0.1
"""

URDF = """<robot name="pendulum">
  <link name="base"/>
  <link name="bob"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/></joint>
</robot>"""

MJCF = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
</worldbody></mujoco>"""


def crate(**changes):
    return gudgeon.Simulation(gudgeon.Model.from_text(CRATE).replace(**changes))


def address(array):
    return array.__array_interface__["data"][0]


def test_q_v_and_control_are_views_of_one_memory():
    sim = crate()
    q, v, u = sim.q, sim.v, sim.control
    places = [address(a) for a in (q, v, u)]
    before = q.copy()
    sim.apply_force("crate", [20.0, 0.0, 0.0])
    sim.step(100)
    assert [address(a) for a in (sim.q, sim.v, sim.control)] == places
    assert q is not sim.q and np.array_equal(q, sim.q) and not np.array_equal(q, before), "the view has changed"
    sim.restore(sim.snapshot())
    sim.reset()
    sim.q = before
    assert [address(a) for a in (sim.q, sim.v, sim.control)] == places
    assert not q.flags.writeable and not q.flags.owndata and q.base is sim
    assert u.flags.writeable


def test_views_keep_the_simulation_alive():
    sim = crate()
    q = sim.q
    expected = q.copy()
    del sim
    gc.collect()
    assert np.array_equal(q, expected)


def test_contacts_are_a_view_that_neither_dangles_nor_changes():
    sim = crate()
    sim.step(10)
    contacts = sim.contacts
    assert address(contacts) == address(sim.contacts), "no copy is made"
    kept = contacts.copy()
    sim.apply_force("crate", [20.0, 0.0, 0.0])
    sim.step(50)
    assert address(sim.contacts) != address(contacts), "what is held was left to its holder"
    assert np.array_equal(kept, contacts)
    del sim
    gc.collect()
    assert np.array_equal(kept, contacts)


def test_contacts_reuse_memory_that_nobody_holds():
    sim = crate()
    sim.step(10)
    place = address(sim.contacts)
    sim.step(10)
    assert address(sim.contacts) == place


def test_contacts_tell_what_they_are():
    sim = crate()
    sim.step(20)
    contacts = sim.contacts
    assert contacts.dtype.names == (
        "a", "b", "collider_a", "collider_b", "id", "point", "normal", "gap", "force", "moment", "slip", "mode", "friction",
        "restitution",
    )  # fmt: skip
    assert len(contacts) == 4
    assert {frozenset(pair) for pair in sim.contact_names} == {frozenset(("crate", "world"))}
    assert np.allclose(np.abs(contacts["normal"][:, 2]), 1)
    assert np.allclose(np.abs(contacts["point"][:, :2]), 0.1) and np.allclose(contacts["gap"], 0, atol=1e-6)
    assert (contacts["mode"] == 1).any() and (contacts["friction"] == 0.5).all()
    assert len(set(contacts["id"].tolist())) == 4


def test_slipping_contacts_say_so():
    sim = crate()
    sim.apply_force("crate", [20.0, 0.0, 0.0])
    sim.step(100)
    moving = sim.contacts[sim.contacts["mode"] == 2]
    assert len(moving) > 0 and (np.linalg.norm(moving["slip"], axis=1) > 0.1).all()


def test_forces_add_up_to_the_weight():
    sim = crate()
    sim.step(200)
    assert sim.wrench("crate")[5] == pytest.approx(9.81, abs=1e-9)
    assert sim.wrench("crate", "world")[5] == pytest.approx(9.81, abs=1e-9)
    assert np.allclose(sim.wrenches[sim.model.link("world")][3:], [0, 0, -9.81], atol=1e-9)
    assert np.abs(sim.wrench("crate")[:3]).max() < 1e-9


def test_below_the_cone_nothing_creeps():
    sim = crate()
    sim.apply_force("crate", [4.9, 0.0, 0.0], point=[0.0, 0.0, 0.05])
    sim.step(2000)
    assert abs(sim.q[4]) < 1e-9


def test_dynamics_agree_with_each_other():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(ARM))
    sim.q, sim.v = [0.3, -0.8], [0.5, 1.5]
    mass, bias = sim.mass_matrix(), sim.bias()
    qdd = np.array([1.0, -2.0])
    tau = mass @ qdd + bias
    assert np.allclose(sim.inverse_dynamics(qdd), tau) and np.allclose(sim.forward_dynamics(tau), qdd)
    assert sim.energy[0] == pytest.approx(0.5 * sim.v @ mass @ sim.v)
    assert np.allclose(sim.jacobian("lower") @ sim.v, sim.velocity("lower"))
    point = sim.position("lower") + [0.0, 0.0, -0.1]
    assert sim.jacobian("lower", point).shape == (6, 2)


def test_the_delassus_matrix_is_that_of_the_contacts():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(CRATE))
    assert sim.delassus().shape == (0, 0)
    sim.step()
    rows = []
    for c in sim.contacts:
        sign = 1.0 if sim.model.links[int(c["a"])] == "crate" else -1.0
        rows.append(sign * c["normal"] @ sim.jacobian("crate", c["point"])[3:])
    j = np.array(rows)
    w = j @ np.linalg.solve(sim.mass_matrix(), j.T)
    assert np.allclose(sim.delassus()[::3, ::3], w, atol=1e-6)


def test_controls_drive_joints():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(ARM).replace(gravity=[0, 0, 0]))
    assert sim.model.nu == 2 and sim.model.controllers == [("pd", ["upper"]), ("force", ["lower"])]
    sim.set_controls([-0.4, 0.0])
    sim.step(5000)
    assert sim.q[0] == pytest.approx(-0.4, abs=1e-3)
    sim.control[1] = 0.05
    sim.step(10)
    assert sim.joint_forces[1] == pytest.approx(0.05)


@pytest.mark.parametrize(("name", "steps"), [("ragdoll", 300), ("stack", 100), ("strandbeest", 50), ("net", 60)])
def test_a_snapshot_goes_on_to_the_bit(name, steps):
    sim = gudgeon.Simulation(gudgeon.Model.builtin(name))
    sim.step(steps)
    snapshot = sim.snapshot()
    copy = pickle.loads(pickle.dumps(sim))
    sim.step(30)
    copy.step(30)
    assert sim.state_hash == copy.state_hash and np.array_equal(sim.q, copy.q)
    expected = sim.state_hash
    sim.restore(snapshot)
    sim.step(30)
    assert sim.state_hash == expected


def test_a_pickle_keeps_controls_forces_and_changes():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(ARM).replace(dt=0.002))
    sim.set_controls([0.9, 0.3])
    sim.apply_force("lower", [0.0, 0.0, 2.0])
    sim.step(50)
    copy = pickle.loads(pickle.dumps(sim))
    sim.step(50)
    copy.step(50)
    assert copy.model.dt == 0.002 and sim.state_hash == copy.state_hash
    copy.reset()
    assert copy.time == 0 and np.array_equal(copy.q, copy.model.q0)
    fresh = gudgeon.Simulation(sim.model)
    copy.step(20)
    fresh.step(20)
    assert copy.state_hash == fresh.state_hash, "a reset forgets controls and forces"


def test_models_come_from_every_format(tmp_path):
    for name, text in [("a.toml", CRATE), ("b.urdf", URDF), ("c.xml", MJCF)]:
        path = tmp_path / name
        path.write_text(text)
        model = gudgeon.Model.load(path)
        again = pickle.loads(pickle.dumps(model))
        path.unlink()
        moved = pickle.loads(pickle.dumps(model))
        assert model.links == again.links == moved.links
        gudgeon.Simulation(moved).step(10)
    assert gudgeon.Model.from_text(URDF, "urdf").report


def test_a_pendulum_from_urdf_swings():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(URDF, "urdf"))
    sim.q = [0.5]
    energy = sum(sim.energy)
    sim.step(500)
    assert sim.q[0] != 0.5 and sum(sim.energy) == pytest.approx(energy, abs=1e-3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: gudgeon.Model.builtin("nothing"), gudgeon.ModelError, "there is no built-in scene 'nothing'"),
        (lambda: gudgeon.Model.builtin("stack", boxs=3), gudgeon.ModelError, "takes no 'boxs'"),
        (lambda: gudgeon.Model.load("missing.toml"), gudgeon.ModelError, "missing.toml"),
        (lambda: gudgeon.Model.from_text("x = ["), gudgeon.ModelError, r"scene.toml:1"),
        (lambda: gudgeon.Model.from_text(CRATE).replace(colour=1), TypeError, "no 'colour' to replace"),
        (lambda: gudgeon.Model.from_text(CRATE).replace(dt=-1), ValueError, "dt is -1"),
        (lambda: setattr(crate(), "q", [1.0]), ValueError, r"q has shape \(1,\), expected \(7,\)"),
        (lambda: setattr(crate(), "v", np.full(6, np.nan)), ValueError, r"v\[0\] is NaN"),
        (lambda: crate().position("box"), KeyError, "there is no link 'box'; there are world, crate"),
        (lambda: crate().restore(b"x"), gudgeon.SnapshotError, "not a snapshot"),
        (lambda: crate().restore(gudgeon.Simulation(gudgeon.Model.from_text(ARM)).snapshot()),
         gudgeon.SnapshotError, "the snapshot has"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_force_that_is_not_finite_is_an_exception():
    sim = crate()
    sim.control[0] = np.nan
    with pytest.raises(gudgeon.StepError, match="crate.*not finite"):
        sim.step()


def test_control_c_stops_a_long_run():
    sim = crate()
    threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**9)
    assert 0 < sim.steps < 10**9
    assert sim.time == pytest.approx(sim.steps * sim.model.dt)


def test_other_threads_run_meanwhile():
    sim = gudgeon.Simulation(gudgeon.Model.builtin("ragdoll"))
    counted, over = 0, threading.Event()

    def work():
        sim.step(1500)
        over.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not over.is_set():
        counted += 1
        time.sleep(1e-3)
    thread.join()
    assert counted > 5


def test_replays_are_pages(tmp_path):
    sim = crate()
    sim.record(fps=100)
    sim.step(100)
    assert sim.frames == 11
    replay = sim.replay(title="a crate")
    path = replay.save(tmp_path / "crate.html")
    assert "<title>a crate" in path.read_text() and "srcdoc=" in replay._repr_html_()


def test_pictures_show_the_bodies():
    sim = crate()
    picture = sim.render(160, 120)
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
    sim.q = [1, 0, 0, 0, 5, 5, 5]
    away = sim.render(160, 120, eye=[1, -1, 1], target=[0, 0, 0])
    assert not np.array_equal(picture, away)


DRIVEN = """
dt = 0.001
[[body]]
name = "arm"
mass = 2
shape = { box = [0.2, 0.02, 0.02] }
mask = 0
[[joint]]
type = "revolute"
child = "arm"
axis = [0, 1, 0]
[[controller]]
type = "motor"
joint = "arm"
velocity = 3
"""


def test_reactions_tell_what_joints_carry_and_what_was_done():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(DRIVEN))
    before = sim.reactions()
    assert not before["motors"].any() and before["work"]["motors"] == 0.0
    energy = sum(sim.energy)
    for _ in range(20):
        sim.step()
        r = sim.reactions()
        change, energy = sum(sim.energy) - energy, sum(sim.energy)
        done = sum(r["work"].values())
        # the step's own error
        assert abs(change - done) <= 1e-6 * max(abs(done), 1e-3)
    # the arm is balanced and turns steadily: no torque, and the pin carries its weight, held in the arm's own axes
    assert r["joints"].shape == (2, 6) and r["loops"].shape == (0, 6)
    assert abs(np.linalg.norm(r["joints"][1, 3:]) - 2 * 9.81) < 1e-3
    assert abs(r["motors"][0]) < 1e-6
