"""The step of boxes that stand on one corner each, and its Jacobian, in Nimble (nimblephysics), for the table of the book's gradients.

    python -m venv env && env/bin/pip install --no-deps nimblephysics && env/bin/pip install "numpy<2"
    env/bin/python nimble_boxes.py [boxes]

The scene is `robots::boxes` of crates/sim/tests/gradient: cubes of 0.2 m and 1 kg, 0.6 m apart, 1 ms steps. Processor time, medians.
"""

import math
import statistics
import sys
import time

import numpy as np
from nimblephysics_libs import _nimblephysics as nimble

count = int(sys.argv[1]) if len(sys.argv) > 1 else 32
half = 0.1
world = nimble.simulation.World()
world.setGravity([0, 0, -9.81])
world.setTimeStep(1e-3)


def add(name, size, free):
    skeleton = nimble.dynamics.Skeleton(name)
    pair = skeleton.createFreeJointAndBodyNodePair() if free else skeleton.createWeldJointAndBodyNodePair()
    joint, body = pair
    shape = body.createShapeNode(nimble.dynamics.BoxShape(np.array(size)))
    shape.createVisualAspect()
    shape.createCollisionAspect()
    body.setFrictionCoeff(0.5)
    return skeleton, joint, body


ground, joint, _ = add("ground", [100.0, 100.0, 1.0], False)
lowered = nimble.math.Isometry3()
lowered.set_translation([0, 0, -0.5])
joint.setTransformFromParentBodyNode(lowered)
world.addSkeleton(ground)
angle = math.acos(1 / math.sqrt(3))
for k in range(count):
    skeleton, joint, body = add(f"box {k}", [2 * half] * 3, True)
    body.setMass(1.0)
    inertia = 4 * half * half / 6
    body.setInertia(nimble.dynamics.Inertia(1.0, np.zeros(3), np.eye(3) * inertia))
    turn = np.array([1, -1, 0]) / math.sqrt(2) * angle
    skeleton.setPositions(np.concatenate([turn, [0.6 * k - 0.3 * count, 0, half * math.sqrt(3) - 1e-4]]))
    world.addSkeleton(skeleton)


def timed(work, rounds=20):
    took = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return 1e3 * statistics.median(took)


for _ in range(5):
    world.step()
step = timed(lambda: world.step())
contacts = world.getLastCollisionResult().getNumContacts()
forward = timed(lambda: nimble.neural.forwardPass(world, True))


def jacobian():
    snapshot = nimble.neural.forwardPass(world, True)
    snapshot.getStateJacobian(world)
    snapshot.getActionJacobian(world)


whole = timed(jacobian, 5)
print(
    f"{count} boxes, {world.getNumDofs()} dofs, {contacts} contacts: step {step:.3f} ms, "
    f"forward pass {forward:.3f} ms, with A and B whole {whole:.3f} ms"
)
