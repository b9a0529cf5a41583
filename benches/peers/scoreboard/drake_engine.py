"""Drake: discrete multibody plants."""

import numpy as np
from pydrake.common.value import Value
from pydrake.geometry import (
    AddCompliantHydroelasticProperties, AddContactMaterial, AddRigidHydroelasticProperties, Box, Capsule, Convex, Cylinder, HalfSpace,
    ProximityProperties, Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, ExternallyAppliedSpatialForce, MultibodyPlantConfig
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantValueSource
from worlds import matrix, rooted

SETTINGS = {
    "drake": ({}, "as it comes: lagged convex approximation (SAP), hydroelastic contact at 1e7 Pa, points for balls, stiction 1e-4 m/s"),
    "drake-stiff": (
        {"modulus": 1e9, "stiffness": 1e8, "stiction": 1e-5},
        "hydroelastic contact at 1e9 Pa, points at 1e8 N/m, stiction 1e-5 m/s; more dissipation was farther off",
    ),
}


def refuses(world):
    return "no law of restitution" if world["restitution"] else None


def pose(thing):
    return RigidTransform(RotationMatrix(matrix(thing["quat"])), np.array(thing["pos"]))


def geometry(s):
    kind, size = s["kind"], s["size"]
    if kind == "hull":
        return Convex(np.array(size).T, label="hull")
    if kind == "plane":
        return HalfSpace()
    if kind == "sphere":
        return Sphere(size[0])
    if kind == "box":
        return Box(*(2 * x for x in size))
    return {"capsule": Capsule, "cylinder": Cylinder}[kind](size[1], 2 * size[0])


def extent(s):
    if s["kind"] == "hull":
        return float(np.linalg.norm(s["size"], axis=1).max())
    return min(s["size"]) if s["size"] else 1.0


class Engine:
    def __init__(self, world, settings):
        config = MultibodyPlantConfig(
            time_step=world["dt"], discrete_contact_approximation=settings.get("approximation", "lagged"), contact_model="hydroelastic_with_fallback",
            stiction_tolerance=settings.get("stiction", 1e-4), adjacent_bodies_collision_filters=True,
        )
        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlant(config, builder)
        plant, bodies = self.plant, rooted(world)[0]
        carried = rooted(world)[1]
        plant.mutable_gravity_field().set_gravity_vector(np.array(world["gravity"]))
        self.settings, self.friction = settings, CoulombFriction(world["friction"], world["friction"])
        for k, s in enumerate(world["statics"]):
            self.register(plant.world_body(), s, f"static{k}", still=True)
        self.bodies = {}
        for name, b in bodies.items():
            unit = UnitInertia(*(np.array(b["inertia"]) / b["mass"]))
            self.bodies[name] = body = plant.AddRigidBody(name, SpatialInertia(b["mass"], np.zeros(3), unit))
            for k, s in enumerate(b["shapes"]):
                self.register(body, s, f"{name}.{k}")
            if name not in carried:
                plant.SetDefaultFloatingBaseBodyPose(body, pose(b))
        rates = []
        for k, j in enumerate(world["joints"]):
            child, at = bodies[j["child"]], np.array(j["anchor"])
            turned = matrix(child["quat"])
            place = RigidTransform(RotationMatrix(turned), at)
            if j["parent"] == "world":
                base, on = plant.world_frame(), place
            else:
                base, on = self.bodies[j["parent"]].body_frame(), pose(bodies[j["parent"]]).inverse() @ place
            first = plant.AddFrame(FixedOffsetFrame(f"p{k}", base, on))
            own = RigidTransform(turned.T @ (at - child["pos"]))
            second = plant.AddFrame(FixedOffsetFrame(f"c{k}", self.bodies[j["child"]].body_frame(), own))
            axis = turned.T @ np.array(j["axis"])
            if j["type"] == "ball":
                made = plant.AddJoint(BallRpyJoint(f"j{k}", first, second))
            else:
                made = plant.AddJoint({"revolute": RevoluteJoint, "prismatic": PrismaticJoint}[j["type"]](f"j{k}", first, second, axis))
            rates.append((made, j, turned.T @ np.array(child["omega"])))
        for loop in world["loops"]:
            ends = []
            for side in "ab":
                b = bodies[loop[side]]
                ends.append(matrix(b["quat"]).T @ (np.array(loop["anchor"]) - b["pos"]))
            plant.AddBallConstraint(self.bodies[loop["a"]], ends[0], self.bodies[loop["b"]], ends[1])
        plant.Finalize()
        self.push(builder, world)
        diagram = builder.Build()
        self.simulator = Simulator(diagram)
        self.context = plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for name, b in bodies.items():
            if name not in carried:
                plant.SetFreeBodySpatialVelocity(self.context, self.bodies[name], SpatialVelocity(np.array(b["omega"]), np.array(b["vel"])))
        for made, j, omega in rates:
            if j["type"] == "ball":
                made.set_angular_velocity(self.context, omega)
            elif j["type"] == "revolute":
                made.set_angular_rate(self.context, j["rate"])
            else:
                made.set_translation_rate(self.context, j["rate"])
        self.simulator.Initialize()
        self.dt, self.count = world["dt"], 0

    def register(self, body, s, name, still=False):
        properties = ProximityProperties()
        AddContactMaterial(friction=self.friction, point_stiffness=self.settings.get("stiffness"), dissipation=self.settings.get("dissipation"), properties=properties)
        modulus = self.settings.get("modulus", 1e7)
        if still:  # a soft body on a hard world: the surface of contact is the world's
            AddRigidHydroelasticProperties(extent(s), properties)
        elif s["kind"] != "sphere":  # a ball has one point of contact, and no need of a mesh
            AddCompliantHydroelasticProperties(extent(s), modulus, properties)
        self.plant.RegisterCollisionGeometry(body, pose(s), geometry(s), name, properties)

    def push(self, builder, world):
        forces = []
        for b in world["bodies"]:
            if b["force"]:
                force = ExternallyAppliedSpatialForce()
                force.body_index = self.bodies[b["name"]].index()
                force.p_BoBq_B = np.zeros(3)
                force.F_Bq_W = SpatialForce(np.zeros(3), np.array(b["force"]))
                forces.append(force)
        if forces:
            source = builder.AddSystem(ConstantValueSource(Value[list[ExternallyAppliedSpatialForce]](forces)))
            builder.Connect(source.get_output_port(), self.plant.get_applied_spatial_force_input_port())

    def step(self, n):
        self.count += n
        self.simulator.AdvanceTo(self.count * self.dt)

    def states(self):
        out = {}
        for name, body in self.bodies.items():
            at = self.plant.EvalBodyPoseInWorld(self.context, body)
            moving = self.plant.EvalBodySpatialVelocityInWorld(self.context, body)
            q = at.rotation().ToQuaternion()
            out[name] = [*at.translation(), q.w(), q.x(), q.y(), q.z(), *moving.translational(), *moving.rotational()]
        return out
