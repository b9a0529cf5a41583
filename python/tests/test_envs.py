"""Gymnasium environments: they pass its checker, and a vector of them goes exactly as its members do alone."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import gudgeon.envs

NAMES = ["Humanoid", "Quadruped", "PegInHole", "PinchAndLift"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:.*Box observation space.*infinity")
@pytest.mark.filterwarnings("error")
def test_the_checker_is_content(name):
    check_env(gymnasium.make(f"gudgeon/{name}-v0", render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_goes_as_its_members_do(name):
    many = gymnasium.make_vec(f"gudgeon/{name}-v0", num_envs=3, vectorization_mode="vector_entry_point", threads=2)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    alone = [gymnasium.make(f"gudgeon/{name}-v0") for _ in range(3)]
    seen, _ = many.reset(seed=5)
    for k, env in enumerate(alone):
        assert np.array_equal(env.reset(seed=5 + k)[0], seen[k])
    rng = np.random.default_rng(0)
    for _ in range(12):
        action = rng.uniform(-1, 1, many.action_space.shape)
        seen, reward, over, cut, info = many.step(action)
        for k, env in enumerate(alone):
            own, own_reward, own_over, _, own_info = env.step(action[k])
            assert np.allclose(own, seen[k], rtol=0, atol=1e-12) and own_reward == pytest.approx(reward[k])
            assert own_over == over[k] and not cut[k]
            assert all(own_info[key] == pytest.approx(info[key][k]) for key in own_info)
        if over.any():
            break


def test_episodes_end_and_begin_again():
    many = gymnasium.make_vec(
        "gudgeon/PinchAndLift-v0", num_envs=2, vectorization_mode="vector_entry_point", max_episode_steps=4
    )
    first, _ = many.reset(seed=1)
    for step in range(1, 5):
        _, _, over, cut, _ = many.step(np.zeros((2, 2)))
        assert cut.tolist() == [step == 4] * 2 and not over.any()
    seen, reward, over, cut, _ = many.step(np.ones((2, 2)))
    assert (reward == 0).all() and not over.any() and not cut.any(), "the action is ignored, an episode starts"
    assert not np.array_equal(seen, first), "elsewhere than before"
    assert (seen[:, many.unwrapped.task.model.nq : -2] == 0).all(), "at rest"
    many.close()


def test_a_peg_goes_in_and_a_block_goes_up():
    env = gymnasium.make("gudgeon/PegInHole-v0")
    for seed in range(3):
        env.reset(seed=seed)
        plan = [[0, 0, 0.8]] * 25 + [[0, 0, -1]] * 100
        assert any(env.step(np.array(action, dtype=float))[2] for action in plan), "centred, then pushed, it goes in"
    env = gymnasium.make("gudgeon/PinchAndLift-v0")
    for grip, lifted in [(-0.9, False), (0.0, True)]:
        env.reset(seed=0)
        plan = [[-1, grip]] * 40 + [[min(1, 0.03 * k - 1), grip] for k in range(120)]
        highest = 0.0
        for action in plan:
            _, _, over, _, info = env.step(np.array(action, dtype=float))
            highest = max(highest, info["height"])
            if over:
                break
        assert (highest > 0.2) == lifted, "two fingers of 1 N cannot hold 0.3 kg with friction 0.6, ten can"


def test_a_quadruped_stands():
    env = gymnasium.make("gudgeon/Quadruped-v0")
    env.reset(seed=0)
    for _ in range(250):
        _, _, over, _, info = env.step(np.zeros(12))
        assert not over
    assert abs(info["forward"]) < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_pictures_and_pages(name):
    env = gymnasium.make(f"gudgeon/{name}-v0", render_mode="rgb_array", width=120, height=90)
    env.reset(seed=0)
    assert env.render().shape == (90, 120, 3) and env.render().std() > 5
    env = gymnasium.make(f"gudgeon/{name}-v0", render_mode="html")
    env.reset(seed=0)
    env.step(np.zeros(env.action_space.shape))
    assert env.render().lstrip().lower().startswith("<!doctype html")


def test_other_ways_to_render_are_refused():
    with pytest.raises(ValueError, match="render_mode is 'window'"):
        gudgeon.envs.PegInHole(render_mode="window")


def test_a_vector_shows_every_copy():
    many = gymnasium.make_vec(
        "gudgeon/PinchAndLift-v0", num_envs=2, vectorization_mode="vector_entry_point", render_mode="rgb_array"
    )
    many.reset(seed=0)
    pictures = many.render()
    assert len(pictures) == 2 and pictures[0].shape == (360, 480, 3) and not np.array_equal(*pictures)


def test_copies_differ_and_are_pushed_as_their_members_are_alone():
    options = dict(
        randomise={"friction": (0.4, 1.0), "mass": {"torso": (0.8, 1.2)}, "gravity": ([0, 0, -10], [0, 0, -9])},
        pushes={"link": "torso", "force": 60.0, "every": 0.2, "lasting": 0.1},
    )
    many = gudgeon.envs.QuadrupedVector(3, threads=2, **options)
    alone = [gudgeon.envs.Quadruped(**options) for _ in range(3)]
    plain = gudgeon.envs.QuadrupedVector(3)
    for round in range(2):
        seen, _ = many.reset(seed=5 + 10 * round)
        plain.reset(seed=5 + 10 * round)
        for k, env in enumerate(alone):
            assert np.array_equal(env.reset(seed=5 + 10 * round + k)[0], seen[k])
        for _ in range(15):
            action = np.zeros((3, 12))
            seen, _, over, _, _ = many.step(action)
            unpushed, *_ = plain.step(action)
            for k, env in enumerate(alone):
                assert np.allclose(env.step(action[k])[0], seen[k], rtol=0, atol=1e-12)
            assert not over.any()
        assert not np.allclose(seen, unpushed, atol=1e-6)
        assert len({round_.tobytes() for round_ in np.round(seen, 9)}) == 3, "all differ"
    with pytest.raises(ValueError, match="expected .least, greatest."):
        gudgeon.envs.Quadruped(randomise={"friction": (0.1, 0.2, 0.3)})
