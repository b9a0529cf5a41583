"""Many copies of a task on Rust threads, as a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._core import Batch, Simulation
from ..rollouts import DIVERGED
from .chance import Chance
from .env import action_space, checked_action, observation_space, pushes_of, refuse_unknown
from .tasks import Flags, Floats, HumanoidTask, PegTask, PinchTask, QuadrupedTask, Task


class VectorEnv(gymnasium.vector.VectorEnv[Floats, Floats, NDArray[Any]]):
    """Autoreset is NEXT_STEP: the step after an episode's last one ignores its action and starts the next episode.

    Copy i goes exactly as `Env` does with seed + i. `randomise` and `pushes`: see `gudgeon.envs.chance`.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        threads: int = 0,
        render_mode: str | None = None,
        randomise: dict[str, Any] | None = None,
        pushes: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.task = task
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.render_mode = render_mode
        self.batch = Batch(task.model, num_envs, threads)
        self.chance = Chance(randomise)
        self.pushes = pushes_of(task, num_envs, pushes)
        self.single_action_space = action_space(task)
        self.single_observation_space = observation_space(task)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._rngs = [np.random.default_rng() for _ in range(num_envs)]
        self._ended = np.zeros(num_envs, dtype=bool)
        self._age = np.zeros(num_envs, dtype=np.int64)
        self._sim: Simulation | None = None

    def _restart(self, copies: list[int]) -> None:
        if copies:
            starts = [self.task.start(self._rngs[k]) for k in copies]
            drawn = self.chance.rows([self._rngs[k] for k in copies]) or None
            self.batch.reset(copies, np.stack([q for q, _ in starts]), np.stack([v for _, v in starts]), drawn)
            self._age[copies] = 0
            if self.pushes is not None:
                self.pushes.restart(copies)

    def _observe(self) -> Floats:
        return self.task.observe(self.batch.q, self.batch.v, self.batch.touch)

    def _info(self) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, dtype=bool)
        info: dict[str, Any] = {}
        for key, value in self.task.info(self.batch.q, self.batch.v).items():
            info[key], info[f"_{key}"] = value, everyone
        return info

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts every copy; `seed` is of the first, the others follow, or one for each. The one option is `reset_mask`."""
        refuse_unknown(options, {"reset_mask"})
        seeds = [int(seed) + k for k in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        if seeds is not None:
            for k, own in enumerate(seeds):
                self._rngs[k] = gymnasium.utils.seeding.np_random(own)[0]
        mask: Flags | None = (options or {}).get("reset_mask")
        copies = range(self.num_envs) if mask is None else np.flatnonzero(mask).tolist()
        self._restart(list(copies))
        self._ended[list(copies)] = False
        return self._observe(), self._info()

    def step(self, actions: Floats) -> tuple[Floats, Floats, Flags, Flags, dict[str, Any]]:
        """One control for every copy, held for the task's substeps."""
        actions = checked_action(actions, (self.num_envs, self.task.actions))
        if self.pushes is not None:
            self.batch.clear_forces()
            self.batch.apply_force(self.pushes.link, self.pushes.step(self._rngs, self._ended))
        self.batch.step(self.task.control(actions), self.task.substeps, self.task.drive)
        begun = self._ended
        self._age += 1
        self._restart(np.flatnonzero(begun).tolist())
        reward, over = self.task.judge(self.batch.q, self.batch.v, self.batch.touch, actions)
        observation = self._observe()
        lost = self.batch.status == DIVERGED
        observation[lost], reward[lost] = 0.0, 0.0
        reward[begun] = 0.0
        terminated = (over | lost) & ~begun
        most = self.max_episode_steps
        truncated = (self._age >= most) & ~begun if most is not None else np.zeros(self.num_envs, dtype=bool)
        self._ended = terminated | truncated
        info = self._info()
        everyone = np.ones(self.num_envs, dtype=bool)
        for name, term in self.task.weighed(self.batch.q, self.batch.v, self.batch.touch, actions).items():
            info[f"reward/{name}"], info[f"_reward/{name}"] = np.where(lost | begun, 0.0, term), everyone
        if lost.any():
            info["diverged"], info["_diverged"] = lost, np.ones(self.num_envs, dtype=bool)
        return observation, reward, terminated, truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of every copy."""
        if self.render_mode != "rgb_array":
            return None
        if self._sim is None:
            self._sim = Simulation(self.task.model)
        pictures = []
        for copy in range(self.num_envs):
            self._sim.q, self._sim.v = self.batch.q[copy], self.batch.v[copy]
            pictures.append(self._sim.render(eye=self.task.eye, target=self.task.target))
        return tuple(pictures)


class HumanoidVector(VectorEnv):
    """See `HumanoidTask`."""

    def __init__(self, num_envs: int = 1, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(HumanoidTask(**task or {}), num_envs, **options)


class QuadrupedVector(VectorEnv):
    """See `QuadrupedTask`."""

    def __init__(self, num_envs: int = 1, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(QuadrupedTask(**task or {}), num_envs, **options)


class PegInHoleVector(VectorEnv):
    """See `PegTask`."""

    def __init__(self, num_envs: int = 1, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(PegTask(**task or {}), num_envs, **options)


class PinchAndLiftVector(VectorEnv):
    """See `PinchTask`."""

    def __init__(self, num_envs: int = 1, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(PinchTask(**task or {}), num_envs, **options)
