"""DART, through dartpy."""

import dartpy as dart
import numpy as np
from worlds import matrix, rooted

SETTINGS = {
    "dart": ({}, "as it comes: boxed LCP by Dantzig's method with PGS behind it, FCL"),
    "dart-exact": (
        {"solver": "nsgs", "detector": "bullet"},
        "its Coulomb friction by nonsmooth Gauss-Seidel, 100 sweeps to 1e-8, with Bullet's collision",
    ),
}


def refuses(world):
    shapes = [s for b in world["bodies"] for s in b["shapes"]]
    return "no hulls through its Python package" if any(s["kind"] == "hull" for s in shapes) else None


def placed(pos, turned):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = turned, pos
    return dart.math.Isometry3(out)


def shape(s):
    kind, size = s["kind"], s["size"]
    if kind == "plane":
        return dart.dynamics.BoxShape([40, 40, 1])
    if kind == "sphere":
        return dart.dynamics.SphereShape(size[0])
    if kind == "box":
        return dart.dynamics.BoxShape([2 * x for x in size])
    return {"capsule": dart.dynamics.CapsuleShape, "cylinder": dart.dynamics.CylinderShape}[kind](size[1], 2 * size[0])


class Engine:
    def __init__(self, world, settings):
        self.surface = (world["friction"], world["restitution"] ** 0.5)
        self.world = dart.simulation.World()
        self.world.setTimeStep(world["dt"])
        self.world.setGravity(world["gravity"])
        solver = self.world.getConstraintSolver()
        detector = {
            "bullet": dart.collision.BulletCollisionDetector, "ode": dart.collision.OdeCollisionDetector, "dart": dart.collision.DARTCollisionDetector,
        }.get(settings.get("detector"))
        if detector:
            solver.setCollisionDetector(detector())
        solver.getCollisionOption().maxNumContacts = 100000
        if settings.get("solver") in ("nsgs", "fbf"):
            self.exact(solver, settings["solver"])
        ground = dart.dynamics.Skeleton("statics")
        for s in world["statics"]:
            _, node = ground.createWeldJointAndBodyNodePair()
            turned = matrix(s["quat"])
            # a plane is a large box: the detectors differ in what they do with planes
            pos = np.array(s["pos"]) - (0.5 * turned[:, 2] if s["kind"] == "plane" else 0)
            self.dress(node, shape(s), placed(pos, turned))
        self.world.addSkeleton(ground)
        bodies, carried = rooted(world)
        self.nodes, self.centres, origins, skeletons = {}, {}, {}, {}
        for name, b in bodies.items():
            j, turned = carried.get(name), matrix(b["quat"])
            origin = np.array(j["anchor"] if j else b["pos"])
            origins[name] = (origin, turned)
            if not j or j["parent"] == "world":
                skeletons[name] = dart.dynamics.Skeleton(name)
                parent, base = None, (np.zeros(3), np.eye(3))
            else:
                skeletons[name] = skeletons[j["parent"]]
                parent, base = self.nodes[j["parent"]], origins[j["parent"]]
            kind = {"revolute": "Revolute", "prismatic": "Prismatic", "ball": "Ball"}[j["type"]] if j else "Free"
            make = getattr(skeletons[name], f"create{kind}JointAndBodyNodePair")
            hinge, node = make(parent) if parent else make()
            centre = turned.T @ (np.array(b["pos"]) - origin)
            node.setInertia(dart.dynamics.Inertia(b["mass"], centre, np.diag(b["inertia"])))
            for s in b["shapes"]:
                self.dress(node, shape(s), placed(np.array(s["pos"]) + centre, matrix(s["quat"])))
            if j:
                hinge.setTransformFromParentBodyNode(placed(base[1].T @ (origin - base[0]), base[1].T @ turned))
                if j["type"] == "ball":
                    hinge.setVelocities(turned.T @ np.array(b["omega"]))
                else:
                    hinge.setAxis(turned.T @ np.array(j["axis"]))
                    hinge.setVelocity(0, j["rate"])
            else:
                dart.dynamics.FreeJoint.setTransformOf(node, placed(b["pos"], turned))
                hinge.setLinearVelocity(b["vel"])
                hinge.setAngularVelocity(b["omega"])
            self.nodes[name], self.centres[name] = node, centre
        for name, skeleton in skeletons.items():
            if name not in carried or carried[name]["parent"] == "world":
                self.world.addSkeleton(skeleton)
        for loop in world["loops"]:
            bond = dart.constraint.BallJointConstraint(self.nodes[loop["a"]], self.nodes[loop["b"]], loop["anchor"])
            solver.addConstraint(bond)
        self.forces = [(self.nodes[b["name"]], self.centres[b["name"]], b["force"]) for b in world["bodies"] if b["force"]]

    @staticmethod
    def exact(solver, name):
        if name == "nsgs":
            options = dart.constraint.NsgsFrictionSolver.Options()
            options.maxSweeps, options.tolerance = 100, 1e-8
            solver.setBoxedLcpSolver(dart.constraint.NsgsFrictionSolver(options))
        else:
            options = dart.constraint.FbfFrictionSolver.Options()
            options.maxOuterIterations, options.tolerance = 100, 1e-8
            solver.setBoxedLcpSolver(dart.constraint.FbfFrictionSolver(options))

    def dress(self, node, what, at):
        made = node.createShapeNode(what)
        made.createCollisionAspect()
        aspect = made.createDynamicsAspect()
        aspect.setFrictionCoeff(self.surface[0])
        aspect.setRestitutionCoeff(self.surface[1])
        made.setRelativeTransform(at)

    def step(self, n):
        for _ in range(n):
            for node, centre, force in self.forces:
                node.addExtForce(force, centre, False, True)
            self.world.step()

    def states(self):
        out = {}
        for name, node in self.nodes.items():
            at = node.getWorldTransform()
            turned = at.rotation()
            arm = turned @ self.centres[name]
            omega, linear = node.getAngularVelocity(), node.getLinearVelocity(self.centres[name])
            q = dart.math.Quaternion(turned)
            out[name] = [*(at.translation() + arm), q.w(), q.x(), q.y(), q.z(), *linear, *omega]
        return out
