"""The vector environments as stable-baselines3 takes them.

>>> from stable_baselines3 import PPO                       # doctest: +SKIP
>>> from gudgeon.envs import PinchAndLiftVector             # doctest: +SKIP
>>> from gudgeon.envs.stable import StableVecEnv            # doctest: +SKIP
>>> PPO("MlpPolicy", StableVecEnv(PinchAndLiftVector(64, max_episode_steps=200))).learn(1_000_000)  # doctest: +SKIP

Their convention differs from Gymnasium's: a copy whose episode ends is started again within the same step, the first
observation of the new episode takes the place of the last, which goes to ``info["terminal_observation"]``, and an
episode that only ran out of time says ``info["TimeLimit.truncated"]``. `is_success` of the task is in every info, and the
terms of the reward under ``info["reward_terms"]``. Needs stable-baselines3 (the extra ``sb3``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from .vector import VectorEnv


class StableVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """A `VectorEnv` under the interface of stable-baselines3; observations are float32."""

    def __init__(self, env: VectorEnv) -> None:
        from gymnasium import spaces

        self.env = env
        shape = env.single_observation_space.shape
        seen = spaces.Box(-np.inf, np.inf, shape, np.float32)
        super().__init__(env.num_envs, seen, env.single_action_space)
        self._actions: Any = None
        self._wanted: int | None = None

    def reset(self) -> Any:
        """Starts every copy."""
        observation, info = self.env.reset(seed=self._wanted)
        self._wanted = None
        self.reset_infos = self._rows(info)
        return observation.astype(np.float32)

    def step_async(self, actions: Any) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Any:
        """One step; copies that end are started again."""
        observation, reward, terminated, truncated, info = self.env.step(self._actions)
        observation = observation.astype(np.float32)
        infos = self._rows(info)
        done = terminated | truncated
        ended = np.flatnonzero(done)
        for k in ended:
            infos[k]["terminal_observation"] = observation[k].copy()
            infos[k]["TimeLimit.truncated"] = bool(truncated[k] and not terminated[k])
        if ended.size:
            mask = np.zeros(self.num_envs, dtype=bool)
            mask[ended] = True
            fresh, _ = self.env.reset(options={"reset_mask": mask})
            observation[ended] = fresh[ended].astype(np.float32)
        return observation, reward.astype(np.float32), done, infos

    def _rows(self, info: dict[str, Any]) -> list[dict[str, Any]]:
        """Gymnasium's dictionary of arrays as a list of dictionaries."""
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for key, values in info.items():
            if key.startswith("_"):
                continue
            for k, row in enumerate(rows):
                if key.startswith("reward/"):
                    row.setdefault("reward_terms", {})[key.removeprefix("reward/")] = float(values[k])
                else:
                    row[key] = values[k].item()
        return rows

    def close(self) -> None:
        """Lets go of the copies."""
        self.env.close()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Of the next reset: copy k gets seed + k."""
        self._wanted = seed
        return [None if seed is None else seed + k for k in range(self.num_envs)]

    def _chosen(self, indices: int | Iterable[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Of the vector environment, once for every copy asked for."""
        return [getattr(self.env, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Of the vector environment as a whole; a part of the copies is refused."""
        if len(self._chosen(indices)) != self.num_envs:
            raise ValueError("copies share their settings: indices must be None")
        setattr(self.env, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Calls a method of the vector environment once, and gives its answer for every copy asked for."""
        answer = getattr(self.env, method_name)(*args, **kwargs)
        return [answer for _ in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: int | Iterable[int] | None = None) -> list[bool]:
        """No copy is."""
        return [False for _ in self._chosen(indices)]
