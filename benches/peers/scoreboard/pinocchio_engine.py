"""Pinocchio with Coal: its dynamics, its contact patches and its cone solver (ADMM), in a step of our own.

Pinocchio has no simulator in its Python package; the parts of one are there. The step is that of its authors' simulator:
free velocity by `aba`, contact points from Coal's patches (nearest points where a patch has none), the friction problem by
`ADMMConstraintSolver` on the factor of `ConstraintCholeskyDecomposition`, warm from the last step where as many points touch. Time in Python counts, as it
would for a user: it is most of the time of small scenes.
"""

import coal
import numpy as np
import pinocchio as pin
from worlds import matrix, rooted

SETTINGS = {
    "pinocchio": (
        {},
        "ADMM on the Coulomb problem (not its convex relaxation), tolerances 1e-9, at most 1,000 iterations, warm; Coal's patches; a step of ours in Python around them",
    ),
}

MOST = 100  # bodies
MARGIN = 1e-3  # m: pairs nearer than this are contacts, with their gap


def refuses(world):
    if world["restitution"]:
        return "no law of restitution"
    if len(world["bodies"]) > MOST:
        return "its factors of 200 bodies took more than 20 GB"
    return None


def place(pos, quat):
    return pin.SE3(matrix(quat), np.array(pos, float))


def hull(points):
    """Coal wants triangles beside points."""
    points = np.array(points, float)
    middle, faces = points.mean(axis=0), set()
    for i in range(len(points)):
        for j in range(len(points)):
            for k in range(len(points)):
                if len({i, j, k}) < 3:
                    continue
                normal = np.cross(points[j] - points[i], points[k] - points[i])
                if np.linalg.norm(normal) < 1e-12 or np.dot(normal, points[i] - middle) <= 0:
                    continue
                if np.all((points - points[i]) @ normal <= 1e-9 * np.linalg.norm(normal)):
                    faces.add((i, j, k))
    # every face once, from its least corner
    faces = sorted({f for f in faces if f[0] == min(f)})
    corners, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for p in points:
        corners.append(p)
    for f in faces:
        triangles.append(coal.Triangle(*f))
    return coal.Convex(corners, triangles)


def geometry(s):
    kind, size = s["kind"], s["size"]
    if kind == "plane":
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if kind == "sphere":
        return coal.Sphere(size[0])
    if kind == "box":
        return coal.Box(*(2 * x for x in size))
    if kind == "hull":
        return hull(size)
    return {"capsule": coal.Capsule, "cylinder": coal.Cylinder}[kind](size[1], 2 * size[0])


def joint_of(j, turned):
    if j is None or j["type"] == "ball":
        return pin.JointModelSpherical()
    axis = turned.T @ np.array(j["axis"])
    return {"revolute": pin.JointModelRevoluteUnaligned, "prismatic": pin.JointModelPrismaticUnaligned}[j["type"]](axis)


class Engine:
    def __init__(self, world, settings):
        self.dt, self.friction = world["dt"], world["friction"]
        self.model, self.shapes = pin.Model(), pin.GeometryModel()
        self.model.gravity.linear = np.array(world["gravity"])
        bodies, carried = rooted(world)
        self.ids, self.centres, origins = {}, {}, {"world": pin.SE3.Identity()}
        starts, rates = [], []
        for k, s in enumerate(world["statics"]):
            self.shapes.addGeometryObject(pin.GeometryObject(f"static{k}", 0, place(s["pos"], s["quat"]), geometry(s)))
        for name, b in bodies.items():
            j, turned = carried.get(name), matrix(b["quat"])
            origin = pin.SE3(turned, np.array(j["anchor"] if j else b["pos"], float))
            parent = j["parent"] if j else "world"
            at = origins[parent].inverse() * origin if j else pin.SE3.Identity()
            base = self.ids.get(parent, 0)
            if not j:
                # a free joint has its velocity in the body's own axes, and Euler's step then loses (omega dt)^2/2 of it each time
                base = self.model.addJoint(0, pin.JointModelTranslation(), pin.SE3.Identity(), f"{name} moves")
            index = self.model.addJoint(base, joint_of(j, turned), at, name)
            origins[name], self.ids[name] = origin, index
            centre = turned.T @ (np.array(b["pos"]) - origin.translation)
            self.centres[name] = centre
            self.model.appendBodyToJoint(index, pin.Inertia(b["mass"], centre, np.diag(b["inertia"])), pin.SE3.Identity())
            for k, s in enumerate(b["shapes"]):
                put = pin.SE3(matrix(s["quat"]), np.array(s["pos"]) + centre)
                self.shapes.addGeometryObject(pin.GeometryObject(f"{name}.{k}", index, put, geometry(s)))
            starts.append((index, b, j))
        self.data = self.model.createData()
        self.q, self.v = pin.neutral(self.model), np.zeros(self.model.nv)
        for index, b, j in starts:
            turned = matrix(b["quat"])
            joint = self.model.joints[index]
            if j is None:
                w, x, y, z = b["quat"]
                self.q[joint.idx_q - 3 : joint.idx_q + 4] = [*b["pos"], x, y, z, w]
                self.v[joint.idx_v - 3 : joint.idx_v + 3] = [*b["vel"], *(turned.T @ b["omega"])]
            elif j["type"] == "ball":
                self.v[joint.idx_v : joint.idx_v + 3] = turned.T @ np.array(b["omega"])
            else:
                self.v[joint.idx_v] = j["rate"]
        self.pairs(world, carried)
        self.loops, self.ends = pin.StdVec_ConstraintModel(), []
        for loop in world["loops"]:
            ends = [origins[loop[side]].inverse() * pin.SE3(np.eye(3), np.array(loop["anchor"], float)) for side in "ab"]
            self.ends.append((self.ids[loop["a"]], ends[0], self.ids[loop["b"]], ends[1]))
            self.loops.append(pin.ConstraintModel(pin.PointAnchorConstraintModel(self.model, self.ids[loop["a"]], ends[0], self.ids[loop["b"]], ends[1])))
        self.forces = [(self.ids[b["name"]], self.centres[b["name"]], np.array(b["force"])) for b in world["bodies"] if b["force"]]
        self.solver, self.settings, self.result = pin.ADMMConstraintSolver(), pin.ADMMSolverSettings(), pin.ADMMSolverResult()
        s = self.settings
        s.absolute_feasibility_tol = s.absolute_complementarity_tol = 1e-9
        s.relative_feasibility_tol = s.relative_complementarity_tol = 1e-9
        s.max_iterations, s.solve_ncp = 1000, True
        self.last, self.none, self.outer = None, np.zeros(self.model.nv), pin.StdVec_Force()
        for _ in range(self.model.njoints):
            self.outer.append(pin.Force.Zero())

    def pairs(self, world, carried):
        """Every pair of shapes of different bodies, but those that a joint holds together."""
        owners = [o.parentJoint for o in self.shapes.geometryObjects]
        tied = {frozenset((self.ids.get(j["parent"], 0), self.ids[j["child"]])) for j in world["joints"]}
        for a in range(len(owners)):
            for b in range(a):
                if owners[a] != owners[b] and frozenset((owners[a], owners[b])) not in tied:
                    self.shapes.addCollisionPair(pin.CollisionPair(b, a))
        kinds = [s["kind"] for s in world["statics"]] + [s["kind"] for b in world["bodies"] for s in b["shapes"]]
        self.balls = {k for k, kind in enumerate(kinds) if kind == "sphere"}
        self.seen = self.shapes.createData()
        for request in self.seen.collisionRequests:
            request.security_margin, request.num_max_contacts, request.enable_contact = MARGIN, 1, True
            request.gjk_tolerance = request.epa_tolerance = 1e-10
        self.near = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(self.model, self.shapes, self.seen)

    def touching(self):
        """Points of contact: both joints, the frame with its normal along z, and the gap."""
        pin.updateGeometryPlacements(self.model, self.data, self.shapes, self.seen)
        pin.computeCollisions(self.near, False)
        out = []
        for k, result in enumerate(self.seen.collisionResults):
            if not result.isCollision():
                continue
            pair = self.shapes.collisionPairs[k]
            pin.computeContactPatch(self.shapes, self.seen, k)
            first, second = (self.shapes.geometryObjects[i].parentJoint for i in (pair.first, pair.second))
            patches = self.seen.contactPatchResults[k]
            contact = result.getContact(0)
            # a ball touches at one point; its patch is a polygon around that, which would not let it roll
            if pair.first not in self.balls and pair.second not in self.balls and patches.numContactPatches() and patches.getContactPatch(0).size() > 0:
                patch = patches.getContactPatch(0)
                normal = patch.getNormal()
                points = [(patch.getPoint(i), patch.penetration_depth) for i in range(patch.size())]
            else:
                normal, points = contact.normal, [(contact.pos, contact.penetration_depth)]
            for point, gap in points:
                out.append((first, second, np.array(point), np.array(normal), float(gap)))
        return out

    def constraints(self):
        models, gaps = pin.StdVec_ConstraintModel(), []
        for loop in self.loops:
            models.append(loop)
            gaps.append(None)
        for first, second, point, normal, gap in self.touching():
            side = np.eye(3)[np.argmin(np.abs(normal))]
            across = np.cross(normal, side)
            across /= np.linalg.norm(across)
            at = pin.SE3(np.column_stack([across, np.cross(normal, across), normal]), point)
            made = pin.PointContactConstraintModel(self.model, first, self.data.oMi[first].inverse() * at, second, self.data.oMi[second].inverse() * at)
            made.setFriction(self.friction)
            models.append(pin.ConstraintModel(made))
            gaps.append(gap)
        return models, gaps

    def step(self, n):
        for _ in range(n):
            self.one()

    def one(self):
        model, data, dt = self.model, self.data, self.dt
        pin.forwardKinematics(model, data, self.q, self.v)
        for index, centre, force in self.forces:
            own = data.oMi[index].rotation.T @ force
            self.outer[index] = pin.Force(own, np.cross(centre, own))
        free = self.v + dt * pin.aba(model, data, self.q, self.v, self.none, self.outer)
        models, gaps = self.constraints()
        if len(models):
            free = self.answer(models, gaps, free)
        else:
            self.last = None
        self.v = free
        self.q = pin.integrate(model, self.q, dt * self.v)

    def answer(self, models, gaps, free):
        """The velocity after the impulses of the contacts."""
        model, data = self.model, self.data
        datas = pin.StdVec_ConstraintData()
        for m in models:
            datas.append(m.createData())
        pin.crba(model, data, self.q, pin.Convention.WORLD)
        pin.cholesky.decompose(model, data)
        pin.computeJointJacobians(model, data, self.q)
        for m, d in zip(models, datas):
            m.calc(model, data, d)
        factor = pin.ConstraintCholeskyDecomposition(model, data, models, datas)
        factor.compute(model, data, models, datas, 1e-10)
        jacobian = pin.getConstraintsJacobian(model, data, models, datas)
        g = jacobian @ free
        for k, gap in enumerate(gaps):
            row = 3 * k
            if gap is not None:
                g[row + 2] += gap / self.dt if gap > 0 else 0.2 * gap / self.dt
            else:  # loops are drawn together by a fifth of their error a step, in the axes of the first end
                a, on_a, b, on_b = self.ends[k]
                first, second = data.oMi[a] * on_a, data.oMi[b] * on_b
                g[row : row + 3] += 0.2 / self.dt * (first.rotation.T @ (second.translation - first.translation))
        if self.last is not None and len(self.last) == len(g):
            self.result.setConstraintImpulseGuess(self.last)
        else:
            self.result = pin.ADMMSolverResult()
        self.solver.solve(factor.getDelassusCholeskyExpression(), g, models, datas, self.settings, self.result)
        self.last = self.result.retrieveConstraintImpulses()
        return free + pin.cholesky.solve(model, data, jacobian.T @ self.last)

    def states(self):
        pin.forwardKinematics(self.model, self.data, self.q, self.v)
        out = {}
        for name, index in self.ids.items():
            at, moving = self.data.oMi[index], self.data.v[index]
            omega, arm = at.rotation @ moving.angular, at.rotation @ self.centres[name]
            linear = at.rotation @ moving.linear + np.cross(omega, arm)
            x, y, z, w = pin.Quaternion(at.rotation).coeffs()
            out[name] = [*(at.translation + arm), w, x, y, z, *linear, *omega]
        return out
