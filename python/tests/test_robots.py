"""Robots by name: actuators, sensors, sites, joints, states of another simulator, options of loading."""

import pickle

import numpy as np
import pytest

import gudgeon

LEG = """<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/><geom name="shell" size="0.1" mass="5"/>
  <body name="leg" pos="0 0 -0.1"><joint name="knee" axis="0 1 0" ref="10" range="-60 80"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" mass="1"/><site name="foot" pos="0 0 -0.3"/></body></body></worldbody>
  <actuator><position name="servo" joint="knee" kp="50" kv="5" ctrlrange="-1 1" gear="2"/><motor name="push" joint="knee"/></actuator>
  <sensor><gyro name="imu" site="foot"/><jointpos name="angle" joint="knee"/><actuatorfrc name="force" actuator="servo"/></sensor>
  <keyframe><key name="bent" qpos="0 0 2 1 0 0 0 0.5" ctrl="0.25 0"/></keyframe></mujoco>"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "leg.xml"
    file.write_text(LEG)
    return file


def test_names_are_those_of_the_file(path):
    model = gudgeon.Model.load(path)
    assert model.joints == ["root", "knee"]
    assert model.geoms[0] == "shell"
    assert model.sites == ["foot"]
    assert model.actuators == ["servo", "push"]
    assert model.sensors == [("imu", 3), ("angle", 1), ("force", 1)]
    assert model.joint("knee")["q"] == (7, 8)
    assert model.joint("knee")["reference"] == pytest.approx(np.radians(10))
    np.testing.assert_array_equal(model.control_ranges, [[-1, 1], [-np.inf, np.inf]])
    with pytest.raises(KeyError, match="knee"):
        model.joint("hip")


def test_controls_and_sensors_by_name(path):
    sim = gudgeon.Simulation(gudgeon.Model.load(path))
    sim.control["servo"] = 0.5
    assert sim.control["servo"] == 0.5
    sim.control[6] = 0.25  # a joint force, by number
    assert sim.control[6] == 0.25
    sim.step(5)
    assert sim.sensor("angle")[0] == pytest.approx(sim.q[7] + np.radians(10))
    assert sim.sensor("imu").shape == (3,)
    assert sim.sensors.shape == (5,)
    # the servo's share of what the joint felt: its force times the gear, the motor's nothing, and the caller's
    assert sim.joint_forces[6] == pytest.approx(2 * sim.sensor("force")[0] + 0.25)
    position, turn = sim.site("foot")
    assert position.shape == (3,) and np.linalg.norm(turn) == pytest.approx(1)
    with pytest.raises(KeyError, match="servo"):
        sim.control["hip"] = 1
    with pytest.raises(KeyError, match="imu"):
        sim.sensor("nose")


def test_a_keyframe_is_where_it_starts_and_what_it_is_told(path):
    sim = gudgeon.Simulation(gudgeon.Model.load(path, keyframe="bent"))
    qpos, qvel = sim.to_mujoco()
    np.testing.assert_allclose(qpos, [0, 0, 2, 1, 0, 0, 0, 0.5], atol=1e-15)
    assert sim.control["servo"] == 0.25
    copy = pickle.loads(pickle.dumps(sim.model))
    np.testing.assert_array_equal(copy.q0, sim.model.q0)


def test_a_state_of_mujoco_goes_in_and_out(path):
    sim = gudgeon.Simulation(gudgeon.Model.load(path))
    qpos, qvel = np.array([1, 2, 3, 0.6, 0.8, 0, 0, 0.3]), np.arange(7.0)
    sim.from_mujoco(qpos, qvel)
    back = sim.to_mujoco()
    np.testing.assert_allclose(back[0], qpos, atol=1e-15)
    np.testing.assert_allclose(back[1], qvel, atol=1e-15)
    np.testing.assert_allclose(sim.q[4:7], [1, 2, 3])


def test_snapshots_keep_controls_by_name(path):
    sim = gudgeon.Simulation(gudgeon.Model.load(path))
    sim.control["servo"] = 0.75
    kept = sim.snapshot()
    sim.control["servo"] = -0.5
    sim.step(3)
    sim.restore(kept)
    assert sim.control["servo"] == 0.75
    sim.reset()
    assert sim.control["servo"] == 0.0


def test_options_are_told_apart(path):
    with pytest.raises(TypeError, match="keyframe, search"):
        gudgeon.Model.load(path, key="bent")
    with pytest.raises(ValueError, match="auto, free or fixed"):
        gudgeon.Model.load(path, base="loose")
    grounded = gudgeon.Model.load(path, ground=True)
    assert "ground" in grounded.geoms
    assert gudgeon.Model.load(path).warnings == []


@pytest.mark.parametrize(
    ("name", "actions", "observations"),
    [("HalfCheetah", 6, 17), ("Hopper", 3, 11), ("Walker2d", 6, 17), ("Ant", 8, 105), ("GymHumanoid", 17, 348)],
)
def test_gymnasiums_walkers_have_their_shapes_and_fall_by_gravity(name, actions, observations):
    gymnasium = pytest.importorskip("gymnasium")
    import gudgeon.envs  # noqa: F401

    env = gymnasium.make(f"gudgeon/{name}-v5")
    assert env.action_space.shape == (actions,)
    seen, _ = env.reset(seed=1)
    assert seen.shape == (observations,) == env.observation_space.shape
    again, _ = env.reset(seed=1)
    np.testing.assert_array_equal(seen, again)
    rng = np.random.default_rng(2)
    for _ in range(20):
        seen, reward, over, _, info = env.step(0.2 * rng.uniform(-1, 1, actions))
        assert np.isfinite(seen).all() and np.isfinite(reward)
        if over:
            break
    env.close()


SEEN = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 0.1"><freejoint/><geom name="b" size="0.1" mass="2" rgba="1 0 0 1"/></body>
  <camera name="above" pos="0 0 2" fovy="30"/><camera name="away" pos="0 0 2" euler="180 0 0"/></worldbody>
  <sensor><contact name="stands" geom1="floor" geom2="b" data="found force normal"/>
  <distance name="high" geom1="b" geom2="floor" cutoff="5"/></sensor></mujoco>"""


def test_contacts_and_distances_are_read_and_cameras_look(tmp_path):
    file = tmp_path / "seen.xml"
    file.write_text(SEEN)
    model = gudgeon.Model.load(file)
    assert model.cameras == ["above", "away"]
    assert model.sensors == [("stands", 7), ("high", 1)]
    sim = gudgeon.Simulation(model)
    sim.step(50)
    np.testing.assert_allclose(sim.sensor("stands"), [1, 2 * 9.81, 0, 0, 0, 0, 1], atol=1e-3)
    assert sim.sensor("high")[0] == pytest.approx(0, abs=1e-4)
    picture = sim.render(120, 90, camera="above").astype(int)
    red = picture[..., 0] > picture[..., 1] + 40
    assert red[45, 60] and not red[0, 0]
    away = sim.render(120, 90, camera="away").astype(int)
    assert not (away[..., 0] > away[..., 1] + 40).any()
    with pytest.raises(KeyError, match="above"):
        sim.render(120, 90, camera="below")
