#!/usr/bin/env python3
"""Throughput of rollouts beside MuJoCo, DART and Bullet: one humanoid, the same starts and torques, one run.

    benches/peers/python/compare.py [--copies 1024] [--steps 100] [--rounds 3]

Sets up an environment of its own under target/. A peer that cannot be had is named and left out. Engines take turns,
the best round counts; where the machine has other work, processor time says more than the clock.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import environment  # noqa: E402

environment.enter()
import humanoid  # noqa: E402
import numpy as np  # noqa: E402

import gudgeon  # noqa: E402


class Gudgeon:
    name, threaded = "Gudgeon", True

    def __init__(self, folder):
        self.model = gudgeon.Model.load(folder / "humanoid.xml")
        self.order = [self.model.v_range(link)[0] for link in self.model.links[1:] if self.model.v_range(link)[1] - self.model.v_range(link)[0] == 1]

    def run(self, v0, u, threads):
        """v0: copies x 21 joint rates, u: copies x steps x 21 torques."""
        copies, steps, _ = u.shape
        x0 = np.tile(np.concatenate([self.model.q0, self.model.v0]), (copies, 1))
        x0[:, self.model.nq + np.array(self.order)] = v0
        full = np.zeros((copies, steps, self.model.nv))
        full[:, :, self.order] = u
        done = gudgeon.rollout(self.model, x0, full, threads=threads)
        assert not done.diverged.any()
        return done.q[:, :, 4:7], done.contacts.mean()


class MuJoCo:
    name, threaded = "MuJoCo", True

    def __init__(self, folder):
        import mujoco
        from mujoco import rollout

        self.mujoco, self.rollout = mujoco, rollout
        self.model = mujoco.MjModel.from_xml_path(str(folder / "humanoid.xml"))

    def run(self, v0, u, threads):
        copies, steps, _ = u.shape
        data = [self.mujoco.MjData(self.model) for _ in range(threads)]
        x0 = np.zeros((copies, 1 + self.model.nq + self.model.nv))
        x0[:, 1 : 1 + self.model.nq] = self.model.qpos0
        x0[:, 1 + self.model.nq + 6 :] = v0
        state, _ = self.rollout.rollout(self.model, data, x0, u)
        return state[:, :, 1:4], float("nan")


class Dart:
    name, threaded = "DART", False

    def __init__(self, folder):
        import dartpy

        loader = getattr(dartpy, "utils", dartpy)
        loader = (loader if hasattr(loader, "DartLoader") else dartpy.io).DartLoader()
        # its reader knows no capsules; against a floor their two ends are the same
        bare = re.sub("<collision>.*?</collision>", "", (folder / "humanoid.urdf").read_text())
        (folder / "bare.urdf").write_text(bare)
        self.skeleton = loader.parseSkeleton(str(folder / "bare.urdf"))
        assert self.skeleton is not None, "the URDF was not read"
        simulation, dynamics = dartpy.simulation, dartpy.dynamics
        self.world = simulation.World()
        self.world.setTimeStep(humanoid.DT)
        self.world.setGravity([0, 0, -9.81])
        for name, _, _, _, capsules in humanoid.parts():
            for a, b, radius, _ in capsules:
                for end in (a, b):
                    node = self.skeleton.getBodyNode(name).createShapeNode(dynamics.SphereShape(radius))
                    node.createCollisionAspect()
                    node.createDynamicsAspect().setFrictionCoeff(humanoid.FRICTION)
                    node.setRelativeTranslation(np.array(end, dtype=float))
        self.skeleton.disableSelfCollisionCheck()
        self.world.addSkeleton(self.skeleton)
        floor = dynamics.Skeleton("floor")
        _, body = floor.createWeldJointAndBodyNodePair()
        node = body.createShapeNode(dynamics.BoxShape([100, 100, 1]))
        node.createCollisionAspect()
        node.createDynamicsAspect().setFrictionCoeff(1.0)
        node.setRelativeTranslation([0, 0, -0.5])
        self.world.addSkeleton(floor)
        names = [self.skeleton.getDof(k).getName() for k in range(self.skeleton.getNumDofs())]
        self.order = [names.index(hinge) for hinge in humanoid.HINGES]
        self.start = np.zeros(len(names))
        self.start[5] = humanoid.HEIGHT

    def run(self, v0, u, threads):
        copies, steps, _ = u.shape
        places = np.zeros((copies, steps, 3))
        contacts = 0
        for c in range(copies):
            rates = np.zeros(self.start.size)
            rates[self.order] = v0[c]
            self.skeleton.setPositions(self.start)
            self.skeleton.setVelocities(rates)
            forces = np.zeros(self.start.size)
            for t in range(steps):
                forces[self.order] = u[c, t]
                self.skeleton.setForces(forces)
                self.world.step()
                contacts += self.world.getLastCollisionResult().getNumContacts()
                places[c, t] = self.skeleton.getPositions()[3:6]
        return places, contacts / (copies * steps)


class Bullet:
    name, threaded = "Bullet", False

    def __init__(self, folder):
        import pybullet as bullet

        self.bullet = bullet
        bullet.connect(bullet.DIRECT)
        bullet.setTimeStep(humanoid.DT)
        bullet.setGravity(0, 0, -9.81)
        floor = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
        bullet.changeDynamics(floor, -1, lateralFriction=1.0)
        flags = bullet.URDF_USE_INERTIA_FROM_FILE
        self.body = bullet.loadURDF(str(folder / "humanoid.urdf"), [0, 0, humanoid.HEIGHT], flags=flags)
        names = [bullet.getJointInfo(self.body, k)[1].decode() for k in range(bullet.getNumJoints(self.body))]
        self.order = [names.index(hinge) for hinge in humanoid.HINGES]
        for k in range(-1, len(names)):
            bullet.changeDynamics(self.body, k, lateralFriction=humanoid.FRICTION, linearDamping=0, angularDamping=0)
        zero = [0.0] * len(self.order)
        bullet.setJointMotorControlArray(self.body, self.order, bullet.VELOCITY_CONTROL, forces=zero)
        self.origin = bullet.getBasePositionAndOrientation(self.body)

    def run(self, v0, u, threads):
        bullet, body = self.bullet, self.body
        copies, steps, _ = u.shape
        places = np.zeros((copies, steps, 3))
        contacts = 0
        for c in range(copies):
            bullet.resetBasePositionAndOrientation(body, *self.origin)
            bullet.resetBaseVelocity(body, [0, 0, 0], [0, 0, 0])
            for k, rate in zip(self.order, v0[c]):
                bullet.resetJointState(body, k, 0.0, rate)
            for t in range(steps):
                bullet.setJointMotorControlArray(body, self.order, bullet.TORQUE_CONTROL, forces=u[c, t])
                bullet.stepSimulation()
                places[c, t] = bullet.getBasePositionAndOrientation(body)[0]
            contacts += len(bullet.getContactPoints()) * steps
        return places, contacts / (copies * steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=1024, help="of the engines that roll out batches")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    v0 = rng.normal(0, 0.5, (options.copies, 21))
    u = rng.normal(0, 5.0, (options.copies, options.steps, 21))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "humanoid.xml").write_text(humanoid.mjcf())
        (folder / "humanoid.urdf").write_text(humanoid.urdf())
        engines = []
        for make in (Gudgeon, MuJoCo, Dart, Bullet):
            try:
                engines.append(make(folder))
            except ImportError as error:
                print(f"skipped: {make.name} ({error})", file=sys.stderr)
    best = {}
    for _ in range(options.rounds):
        for engine in engines:
            for threads in (1, 2) if engine.threaded else (1,):
                # engines that Python must step one by one get fewer copies: theirs is a rate all the same
                copies = options.copies if engine.threaded else min(options.copies, 64)
                wall, cpu = time.perf_counter(), time.process_time()
                places, contacts = engine.run(v0[:copies], u[:copies], threads)
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                steps = copies * options.steps
                known = best.get((engine.name, threads), (0, 0))
                height = np.nanmean(places[:, -1, 2])
                best[engine.name, threads] = (max(known[0], steps / wall), max(known[1], steps / cpu), contacts, height)
    print(f"{options.copies} humanoids, 21 hinges, {options.steps} steps of {1e3 * humanoid.DT:g} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'engine':10} {'threads':>7} {'steps/s':>10} {'steps/cpu s':>12} {'contacts':>9} {'end height':>11}")
    for (engine, threads), (wall, cpu, contacts, height) in best.items():
        print(f"{engine:10} {threads:7} {wall:10.0f} {cpu:12.0f} {contacts:9.2f} {height:10.3f} m")
    one, two = best["Gudgeon", 1], best["Gudgeon", 2]
    print(f"\nGudgeon, two threads over one: {two[0] / one[0]:.2f} by the clock, {2 * two[1] / one[1]:.2f} by processor time (goal 1.8)")
    for (engine, threads), (wall, cpu, *_) in best.items():
        if engine != "Gudgeon":
            ours = best["Gudgeon", threads]
            print(f"Gudgeon over {engine}, {threads} thread(s): {ours[0] / wall:.2f} by the clock, {ours[1] / cpu:.2f} by processor time")


if __name__ == "__main__":
    main()
