"""What training needs: the interface of stable-baselines3, rewards that want what is wanted, options that exist."""

import abc
import sys
import types

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import gudgeon  # noqa: E402
import gudgeon.envs as envs  # noqa: E402


@pytest.fixture
def stable(monkeypatch):
    """The adapter on stable-baselines3 itself where it is installed, else on its abstract base written down here."""
    try:
        import stable_baselines3.common.vec_env  # noqa: F401
    except ImportError:

        class VecEnv(abc.ABC):
            def __init__(self, num_envs, observation_space, action_space):
                self.num_envs = num_envs
                self.observation_space, self.action_space = observation_space, action_space
                self.reset_infos = [{} for _ in range(num_envs)]

            def step(self, actions):
                self.step_async(actions)
                return self.step_wait()

            reset = step_async = step_wait = close = abc.abstractmethod(lambda self: None)
            get_attr = set_attr = env_method = env_is_wrapped = abc.abstractmethod(lambda self: None)

        for name in ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        sys.modules["stable_baselines3.common.vec_env"].VecEnv = VecEnv
        monkeypatch.delitem(sys.modules, "gudgeon.envs.stable", raising=False)
    import gudgeon.envs.stable as adapter

    yield adapter
    sys.modules.pop("gudgeon.envs.stable", None)


def test_the_adapter_restarts_within_the_step_and_keeps_the_last_observation(stable):
    env = stable.StableVecEnv(envs.PinchAndLiftVector(3, max_episode_steps=4))
    env.seed(5)
    first = env.reset()
    assert first.dtype == np.float32 and first.shape == (3, env.observation_space.shape[0])
    plain = envs.PinchAndLiftVector(3, max_episode_steps=4)
    expected, _ = plain.reset(seed=5)
    assert (first == expected.astype(np.float32)).all()
    actions = np.full((3, 2), 0.25, np.float32)
    for k in range(4):
        seen, reward, done, infos = env.step(actions)
        expected, worth, _, truncated, _ = plain.step(actions)
        assert (reward == worth.astype(np.float32)).all() and done.all() == (k == 3)
    assert truncated.all()
    for k, info in enumerate(infos):
        assert info["TimeLimit.truncated"] and info["is_success"] is False
        assert (info["terminal_observation"] == expected[k].astype(np.float32)).all()
        assert sum(info["reward_terms"].values()) == pytest.approx(float(worth[k]))
        assert not (seen[k] == info["terminal_observation"]).all()
    # the next step is one of the new episode, not a lost one
    _, reward, done, _ = env.step(actions)
    assert not done.any() and (reward != 0.0).all()
    assert env.get_attr("num_envs") == [3, 3, 3] and env.env_is_wrapped(object, [0]) == [False]
    with pytest.raises(ValueError, match="share"):
        env.set_attr("render_mode", None, 0)


def test_stable_baselines_itself_learns_on_the_adapter():
    """Half a minute of their PPO where it is installed (with PyTorch, which is large): the reward of an episode rises."""
    theirs = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.vec_env import VecMonitor

    from gudgeon.envs.stable import StableVecEnv

    env = VecMonitor(StableVecEnv(envs.PinchAndLiftVector(16, max_episode_steps=100)))
    ppo = theirs.PPO(
        "MlpPolicy", env, n_steps=64, batch_size=128, n_epochs=5, gamma=0.98, learning_rate=1e-3, seed=0, device="cpu"
    )
    curve = []

    def keep(local, _):
        curve.extend(info["episode"]["r"] for info in local["infos"] if "episode" in info)
        return True

    ppo.learn(16 * 64 * 24, callback=keep)
    first, last = np.mean(curve[:32]), np.mean(curve[-32:])
    assert len(curve) > 150 and last > 1.5 * first, (first, last)


def test_lifting_earns_more_than_hovering():
    """Grip, then raise to the mark, or to nine tenths of it: the sums of an episode."""
    earned = {}
    for name, height in [("lift", 0.215), ("hover", 0.18), ("stay", 0.0)]:
        env = envs.PinchAndLiftVector(1, max_episode_steps=200)
        env.reset(seed=3)
        total, success = 0.0, False
        for k in range(200):
            up = 0.0 if k < 30 else height * min(1.0, (k - 30) / 60)
            _, reward, terminated, truncated, info = env.step(np.array([[up / 0.125 - 1.0, 0.6]], np.float32))
            total += float(reward[0])
            success = success or bool(info["is_success"][0])
            if terminated[0] or truncated[0]:
                break
        earned[name] = total
        assert success == (name == "lift"), earned
    assert earned["lift"] > 1.5 * earned["hover"] > earned["stay"], earned


def test_weights_are_options_and_unknown_ones_are_refused():
    light = envs.QuadrupedVector(2, task={"weights": {"effort": 0.0}, "speed": 0.4})
    light.reset(seed=1)
    _, reward, _, _, info = light.step(np.ones((2, 12), np.float32))
    assert (info["reward/effort"] == 0.0).all()
    total = info["reward/forward"] + info["reward/upright"] + info["reward/effort"]
    assert np.allclose(reward, total)
    with pytest.raises(ValueError, match="'efort', expected of"):
        envs.QuadrupedTask(weights={"efort": 1.0})
    with pytest.raises(ValueError, match="no option 'mask'"):
        light.reset(options={"mask": [True, False]})
    with pytest.raises(ValueError, match="no option 'x'"):
        envs.Quadruped().reset(options={"x": 1})


def test_broken_actions_and_pushes_on_nothing_are_refused():
    env, one = envs.PinchAndLiftVector(2), envs.PinchAndLift()
    env.reset(seed=0)
    one.reset(seed=0)
    with pytest.raises(ValueError, match=r"shape \(2, 3\), expected \(2, 2\)"):
        env.step(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match=r"action\[1, 0\] is NaN"):
        env.step(np.array([[0.0, 0.0], [np.nan, 0.0]]))
    with pytest.raises(ValueError, match=r"shape \(3,\), expected \(2,\)"):
        one.step(np.zeros(3))
    for make in (envs.QuadrupedVector, envs.Quadruped):
        with pytest.raises(KeyError, match="torsoo"):
            make(pushes={"link": "torsoo", "force": 1.0, "every": 1.0})


def test_small_things_of_the_solvers():
    eye = np.eye(3)
    pull = [-1.0, 0.1, 0.0]
    one = gudgeon.solve_friction(eye, pull, 0.5, facets="round")
    many = gudgeon.solve_friction(eye, pull, [0.5], facets="exact")
    assert one.solved and (one.impulse == many.impulse).all()
    free = gudgeon.solve_mlcp([[2.0]], [3.0])
    assert free.x[0] == -1.5
    assert gudgeon.solve_mlcp([[2.0]], [3.0], lo=0.0).x[0] == 0.0
    long = gudgeon.solve_lcp(np.eye(500), -np.ones(500))
    assert len(repr(long)) < 300 and "shape (500,)" in repr(long) and repr(long).startswith("LcpSolution(solved")
    assert repr(gudgeon.Batch(gudgeon.Model.builtin("rod"), 3)) == "<gudgeon.Batch of 3 copies of 'rod'>"
    with pytest.raises(ValueError, match="'round'"):
        gudgeon.solve_friction(eye, pull, 0.5, facets="rund")
