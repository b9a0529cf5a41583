"""Bullet, through PyBullet (double precision)."""

import numpy as np
import pybullet as p
from worlds import conjugate, matrix, product, rooted

SETTINGS = {
    "bullet": ({}, "as it comes: sequential impulses, 50 iterations, no damping of bodies, no sleeping"),
    "bullet-accurate": (
        {"accurate": True},
        "round cones, 200 iterations to a residual of 1e-14, a fiftieth of an overlap undone in a step; 1,000 iterations were no nearer",
    ),
}


def xyzw(q):
    return [q[1], q[2], q[3], q[0]]


def collision(shapes):
    if not shapes:
        return -1
    rows = {"shapeTypes": [], "radii": [], "halfExtents": [], "lengths": [], "vertices": []}
    for s in shapes:
        kind, size = s["kind"], s["size"]
        codes = {"sphere": p.GEOM_SPHERE, "box": p.GEOM_BOX, "capsule": p.GEOM_CAPSULE, "cylinder": p.GEOM_CYLINDER, "hull": p.GEOM_MESH}
        rows["shapeTypes"].append(codes[kind])
        rows["radii"].append(size[0] if kind == "sphere" else size[1] if kind in ("capsule", "cylinder") else 0)
        rows["halfExtents"].append(size if kind == "box" else [0, 0, 0])
        rows["lengths"].append(2 * size[0] if kind in ("capsule", "cylinder") else 0)
        rows["vertices"].append(size if kind == "hull" else [])
    if len(shapes) == 1:
        keys = {"sphere": ["radii"], "box": ["halfExtents"], "capsule": ["radii", "lengths"], "cylinder": ["radii", "lengths"], "hull": ["vertices"]}
        names = {"radii": "radius", "lengths": "height", "halfExtents": "halfExtents", "vertices": "vertices"}
        chosen = {names[k]: rows[k][0] for k in keys[shapes[0]["kind"]]}
        frame = {"collisionFramePosition": shapes[0]["pos"], "collisionFrameOrientation": xyzw(shapes[0]["quat"])}
        return p.createCollisionShape(rows["shapeTypes"][0], **chosen, **frame)
    rows.pop("vertices")
    return p.createCollisionShapeArray(
        **rows, collisionFramePositions=[s["pos"] for s in shapes], collisionFrameOrientations=[xyzw(s["quat"]) for s in shapes],
    )


class Engine:
    def __init__(self, world, settings):
        if p.isConnected():
            p.disconnect()
        p.connect(p.DIRECT)
        p.setGravity(*world["gravity"])
        p.setTimeStep(world["dt"])
        accurate = settings.get("accurate", False)
        if accurate:
            p.setPhysicsEngineParameter(
                numSolverIterations=200, solverResidualThreshold=1e-14, enableConeFriction=1, erp=0.02, contactERP=0.02,
                restitutionVelocityThreshold=0.01,
            )
        bodies, carried = rooted(world)
        # of two surfaces Bullet takes the product
        surface = {"lateralFriction": world["friction"] ** 0.5, "restitution": world["restitution"] ** 0.5,
                   "rollingFriction": 0, "spinningFriction": 0, "jointDamping": 0}
        for s in world["statics"]:
            if s["kind"] == "plane":
                normal = matrix(s["quat"])[:, 2]
                ident = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE, planeNormal=list(normal)), basePosition=s["pos"])
            else:
                ident = p.createMultiBody(0, collision([{**s, "pos": [0, 0, 0], "quat": [1, 0, 0, 0]}]), basePosition=s["pos"],
                                          baseOrientation=xyzw(s["quat"]))
            p.changeDynamics(ident, -1, **surface)
        self.where = {}
        for name, b in bodies.items():
            if name in carried:
                continue
            ident = p.createMultiBody(b["mass"], collision(b["shapes"]), basePosition=b["pos"], baseOrientation=xyzw(b["quat"]))
            p.changeDynamics(ident, -1, localInertiaDiagonal=b["inertia"], **surface)
            # a call of its own: where these are given, Bullet leaves others undone
            p.changeDynamics(ident, -1, linearDamping=0, angularDamping=0, activationState=p.ACTIVATION_STATE_DISABLE_SLEEPING)
            if world["restitution"]:
                p.changeDynamics(ident, -1, contactProcessingThreshold=0)
            p.resetBaseVelocity(ident, b["vel"], b["omega"])
            self.where[name] = (ident, -1)
        self.trees(world, bodies, carried, surface)
        for loop in world["loops"]:
            ends = []
            for side in "ab":
                b = bodies[loop[side]]
                ends.append(matrix(b["quat"]).T @ (np.array(loop["anchor"]) - b["pos"]))
            a, b = self.where[loop["a"]], self.where[loop["b"]]
            bond = p.createConstraint(a[0], a[1], b[0], b[1], p.JOINT_POINT2POINT, [0, 0, 0], list(ends[0]), list(ends[1]))
            p.changeConstraint(bond, maxForce=1e9)
        self.forces = [(self.where[b["name"]], b["force"]) for b in world["bodies"] if b["force"]]

    def trees(self, world, bodies, carried, surface):
        """Every tree of jointed bodies is one multibody on a base without mass."""
        group = {}
        for j in world["joints"]:
            group.setdefault(group.get(j["parent"], j["child"]), []).append(j) if j["parent"] == "world" else group[self.root(j, carried)].append(j)
        for joints in group.values():
            order = [j["child"] for j in joints]
            rows = {k: [] for k in ("Masses", "CollisionShapeIndices", "VisualShapeIndices", "Positions", "Orientations",
                                    "InertialFramePositions", "InertialFrameOrientations", "ParentIndices", "JointTypes", "JointAxis")}
            for j in joints:
                b = bodies[j["child"]]
                if j["parent"] == "world":
                    at, turned = np.zeros(3), [1.0, 0, 0, 0]
                else:
                    at, turned = np.array(carried[j["parent"]]["anchor"]), bodies[j["parent"]]["quat"]
                own = matrix(b["quat"]).T
                centre = own @ (np.array(b["pos"]) - j["anchor"])
                moved = [{**s, "pos": list(np.array(s["pos"]) + centre)} for s in b["shapes"]]
                rows["Masses"].append(b["mass"])
                # without a shape Bullet takes inertias of one: a speck that touches nothing
                speck = [{"kind": "sphere", "size": [1e-3], "pos": list(centre), "quat": [1, 0, 0, 0]}]
                rows["CollisionShapeIndices"].append(collision(moved or speck))
                rows["VisualShapeIndices"].append(-1)
                rows["Positions"].append(list(matrix(turned).T @ (np.array(j["anchor"]) - at)))
                rows["Orientations"].append(xyzw(product(conjugate(turned), b["quat"])))
                rows["InertialFramePositions"].append(list(centre))
                rows["InertialFrameOrientations"].append([0, 0, 0, 1])
                rows["ParentIndices"].append(0 if j["parent"] == "world" else order.index(j["parent"]) + 1)
                rows["JointTypes"].append({"revolute": p.JOINT_REVOLUTE, "prismatic": p.JOINT_PRISMATIC, "ball": p.JOINT_SPHERICAL}[j["type"]])
                rows["JointAxis"].append(list(own @ np.array(j["axis"])))
            ident = p.createMultiBody(0, -1, basePosition=[0, 0, 0], **{f"link{k}": v for k, v in rows.items()})
            p.changeDynamics(ident, -1, linearDamping=0, angularDamping=0, activationState=p.ACTIVATION_STATE_DISABLE_SLEEPING)
            for k, j in enumerate(joints):
                b = bodies[j["child"]]
                p.changeDynamics(ident, k, localInertiaDiagonal=b["inertia"], **surface)
                p.changeDynamics(ident, k, maxJointVelocity=1e6)
                if j["type"] == "ball":
                    p.setJointMotorControlMultiDof(ident, k, p.POSITION_CONTROL, [0, 0, 0, 1], positionGain=0, velocityGain=0, force=[0, 0, 0])
                    p.resetJointStateMultiDof(ident, k, [0, 0, 0, 1], list(matrix(b["quat"]).T @ np.array(b["omega"])))
                else:
                    p.setJointMotorControl2(ident, k, p.VELOCITY_CONTROL, force=0)
                    p.resetJointState(ident, k, 0, j["rate"])
                if not b["shapes"]:
                    p.setCollisionFilterGroupMask(ident, k, 0, 0)
                self.where[j["child"]] = (ident, k)

    @staticmethod
    def root(j, carried):
        while j["parent"] != "world":
            j = carried[j["parent"]]
        return j["child"]

    def step(self, n):
        for _ in range(n):
            for (ident, link), force in self.forces:
                at = p.getBasePositionAndOrientation(ident)[0] if link < 0 else p.getLinkState(ident, link)[0]
                p.applyExternalForce(ident, link, force, at, p.WORLD_FRAME)
            p.stepSimulation()

    def states(self):
        out = {}
        for name, (ident, link) in self.where.items():
            if link < 0:
                (pos, q), (v, w) = p.getBasePositionAndOrientation(ident), p.getBaseVelocity(ident)
            else:
                s = p.getLinkState(ident, link, computeLinkVelocity=1, computeForwardKinematics=1)
                pos, q, v, w = s[0], s[1], s[6], s[7]
            out[name] = [*pos, q[3], q[0], q[1], q[2], *v, *w]
        return out
