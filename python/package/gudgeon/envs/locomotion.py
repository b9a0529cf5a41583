"""Gymnasium's walkers on this simulator: the same files, actions, observations and rewards.

The model files are those of the installed gymnasium package. Actions are the files' controls; observations have the shape and
meaning of the v5 environments: positions without the horizontal place, velocities, and for Ant and Humanoid the forces of contact on
every body (torque about the centre of mass of the whole, then force), for Humanoid also inertias, velocities and actuator forces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .._core import Model, Simulation, StepError
from .tasks import Floats


@dataclass(frozen=True)
class Walk:
    """Numbers of a task: file, steps per action, rewards, what counts as healthy."""

    file: str
    skip: int
    hidden: int  # positions that are not shown
    control_cost: float
    alive: float = 0.0
    height: tuple[float, float] = (-np.inf, np.inf)
    angle: float = np.inf  # of the trunk in the plane, rad
    clip: float = np.inf  # of velocities
    noise: float = 5e-3
    normal: bool = False  # velocities start normally distributed
    forward: float = 1.0
    contacts: bool = False
    contact_cost: float = 0.0  # of the squares of contact forces
    contact_most: float = np.inf  # of that cost
    bodies: bool = False


WALKS = {
    "HalfCheetah": Walk("half_cheetah.xml", 5, 1, 0.1, noise=0.1, normal=True),
    "Hopper": Walk("hopper.xml", 4, 1, 1e-3, alive=1.0, height=(0.7, np.inf), angle=0.2, clip=10.0),
    "Walker2d": Walk("walker2d_v5.xml", 4, 1, 1e-3, alive=1.0, height=(0.8, 2.0), angle=1.0, clip=10.0),
    "Ant": Walk(
        "ant.xml", 5, 2, 0.5, alive=1.0, height=(0.2, 1.0), noise=0.1, normal=True, contacts=True, contact_cost=5e-4
    ),
    "Humanoid": Walk(
        "humanoid.xml", 5, 2, 0.1, alive=5.0, height=(1.0, 2.0), noise=1e-2, forward=1.25, contacts=True,
        contact_cost=5e-7, contact_most=10.0, bodies=True,
    ),  # fmt: skip
}


def asset(file: str) -> Path:
    """A model file of the installed gymnasium package."""
    return Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / file


def _cross(a: Floats, b: Floats) -> Floats:
    """Of the rows; numpy's own takes longer to find out what it was given than to do it."""
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


def _turns(quaternions: Floats) -> Floats:
    """Matrices of unit quaternions w x y z."""
    w, x, y, z = quaternions.T
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


class Locomotion(gymnasium.Env[Floats, Floats]):
    """One of `WALKS`."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, walk: str, render_mode: str | None = None) -> None:
        self.walk = WALKS[walk]
        self.sim = Simulation(Model.load(asset(self.walk.file)))
        model = self.sim.model
        self.dt = model.dt * self.walk.skip
        self.render_mode = render_mode
        self._start = self.sim.to_mujoco()
        self._planar = model.joints[0].startswith("root") and len(model.joints) == model.nv
        bodies = model.bodies[1:]
        self._link_list = [int(model.link(link)) for _, link in bodies]
        self._links = np.array(self._link_list)
        if self.walk.bodies:
            rows = np.asarray(model.inertias)[self._links]
            own = rows[:, 4:][:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
            self._masses = (rows[:, 0], rows[:, 1:4], own)
            gears = [model.actuator_joint(name) for name in model.actuators]
            self._gears = (np.array([g for g, _ in gears]), np.array([dof for _, dof in gears]))
        low, high = model.control_ranges.T
        self.action_space: spaces.Space[Any] = spaces.Box(low.astype(np.float32), high.astype(np.float32))
        size = self._observe().size
        self.observation_space: spaces.Space[Any] = spaces.Box(-np.inf, np.inf, (size,), np.float64)

    def _forces(self) -> Floats:
        """Contact forces on the file's bodies: torque about the centre of mass of the whole, force."""
        wrench: Floats = np.asarray(self.sim.wrenches[self._links], dtype=np.float64)
        arm = self._of_links(self.sim.position) - self.sim.center_of_mass
        wrench[:, :3] += _cross(arm, wrench[:, 3:])
        return wrench

    def _of_links(self, read: Callable[[int], Floats]) -> Floats:
        return np.array([read(link) for link in self._link_list])

    def _bodies(self) -> list[Floats]:
        """Inertias (10) and velocities (6) of the bodies about the centre of mass of the whole, and actuator forces."""
        whole = self.sim.center_of_mass
        mass, com, own = self._masses
        origin = self._of_links(self.sim.position)
        turn = _turns(self._of_links(self.sim.orientation))
        d = origin + (turn @ com[:, :, None])[:, :, 0] - whole
        about = turn @ own @ turn.transpose(0, 2, 1)
        about += mass[:, None, None] * ((d * d).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :])
        moments = about[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        inertias = np.concatenate([moments, mass[:, None] * d, mass[:, None]], axis=1)
        motion = self._of_links(self.sim.velocity)
        motion[:, 3:] += _cross(motion[:, :3], whole - origin)
        forces = np.zeros(self.sim.model.nv)
        gears, dofs = self._gears
        np.add.at(forces, dofs, gears * np.array([reading[2] for reading in self.sim.actuator_readings]))
        return [inertias.ravel(), motion.ravel(), forces[6:]]

    def _observe(self, shown: Floats | None = None) -> Floats:
        qpos, qvel = self.sim.to_mujoco()
        parts = [qpos[self.walk.hidden :], np.clip(qvel, -self.walk.clip, self.walk.clip)]
        if self.walk.bodies:
            parts += self._bodies()
        if self.walk.contacts:
            parts.append(self._shown_forces() if shown is None else shown)
        return np.concatenate(parts)

    def _shown_forces(self) -> Floats:
        bound = np.inf if self.walk.bodies else 1.0
        shown: Floats = np.clip(self._forces(), -bound, bound).ravel()
        return shown

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts an episode near the file's reference."""
        super().reset(seed=seed)
        self.sim.reset()
        noise, (qpos, qvel) = self.walk.noise, self._start
        qpos = qpos + self.np_random.uniform(-noise, noise, qpos.size)
        if self.walk.normal:
            qvel = noise * self.np_random.standard_normal(qvel.size)
        else:
            qvel = self.np_random.uniform(-noise, noise, qvel.size)
        if not self._planar:
            qpos[3:7] /= np.linalg.norm(qpos[3:7])
        self.sim.from_mujoco(qpos, qvel)
        return self._observe(), {}

    def _place(self) -> float:
        if self.walk.bodies:  # the humanoid is judged by its centre of mass
            return float(self.sim.center_of_mass[0])
        return float(self.sim.to_mujoco()[0][0])

    def healthy(self) -> bool:
        """Whether it has not fallen."""
        qpos, _ = self.sim.to_mujoco()
        height = qpos[1] if self._planar else qpos[2]
        low, high = self.walk.height
        upright = not self._planar or abs(qpos[2]) < self.walk.angle
        return bool(low < height < high and upright and np.isfinite(qpos).all())

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """One control, held for the task's steps."""
        before = self._place()
        try:
            self.sim.set_controls(np.asarray(action, dtype=np.float64))
            self.sim.step(self.walk.skip)
        except StepError:
            return np.zeros_like(self._observe()), 0.0, True, False, {"diverged": True}
        speed = (self._place() - before) / self.dt
        healthy = self.healthy()
        cost = self.walk.control_cost * float(np.square(action).sum())
        shown = self._shown_forces() if self.walk.contacts else None
        if shown is not None:
            pressed = self.walk.contact_cost * float(np.square(shown).sum())
            cost += min(pressed, self.walk.contact_most)
        reward = self.walk.forward * speed + self.walk.alive * healthy - cost
        return self._observe(shown), reward, self.walk.alive > 0 and not healthy, False, {"x_velocity": speed}

    def render(self) -> Any:
        """A picture."""
        return self.sim.render(480, 360) if self.render_mode == "rgb_array" else None


class HalfCheetah(Locomotion):
    """A cheetah in the plane."""

    def __init__(self, **options: Any) -> None:
        super().__init__("HalfCheetah", **options)


class Hopper(Locomotion):
    """One leg in the plane."""

    def __init__(self, **options: Any) -> None:
        super().__init__("Hopper", **options)


class Walker2d(Locomotion):
    """Two legs in the plane."""

    def __init__(self, **options: Any) -> None:
        super().__init__("Walker2d", **options)


class Ant(Locomotion):
    """Four legs."""

    def __init__(self, **options: Any) -> None:
        super().__init__("Ant", **options)


class GymHumanoid(Locomotion):
    """Gymnasium's humanoid, as distinct from our own."""

    def __init__(self, **options: Any) -> None:
        super().__init__("Humanoid", **options)
