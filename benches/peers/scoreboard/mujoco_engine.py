"""MuJoCo."""

import math

import mujoco
import numpy as np
from worlds import conjugate, matrix, product, rooted

SETTINGS = {
    "mujoco": ({}, "as it comes: pyramidal cones, Newton, solref 0.02 1, Euler"),
    "mujoco-accurate": (
        {"accurate": True},
        "elliptic cones, impratio 10, Newton with 100 iterations to 1e-12, noslip 20 iterations, solref of two steps, "
        "solimp 0.99 0.999 0.0001, implicitfast; RK4 where nothing touches",
    ),
}


def row(values):
    return " ".join(repr(float(x)) for x in values)


def geom(s, assets, move=(0, 0, 0), turned=None):
    kind, size = s["kind"], s["size"]
    pos = np.array(s["pos"]) + np.array(move)
    place = f'pos="{row(pos)}" quat="{row(s["quat"])}"'
    if kind == "plane":
        return f'<geom type="plane" size="50 50 1" {place}/>'
    if kind == "hull":
        name = f"hull{len(assets)}"
        assets.append(f'<mesh name="{name}" vertex="{row(x for p in size for x in p)}"/>')
        return f'<geom type="mesh" mesh="{name}" {place}/>'
    size = [size[1], size[0]] if kind in ("capsule", "cylinder") else size
    return f'<geom type="{kind}" size="{row(size)}" {place}/>'


def spring(restitution, dt):
    """solref of a contact that lasts twenty steps and gives back a part of the speed."""
    log = math.log(max(restitution, 1e-3))
    ratio, rate = -log / math.hypot(math.pi, log), math.pi / (20 * dt)
    return f'solref="{-rate * rate!r} {-2 * ratio * rate!r}" solimp="0.9999 0.9999 0.0001"'


def model(world, accurate):
    bodies, carried = rooted(world)
    dt, assets = world["dt"], []
    children = {name: [] for name in [*bodies, "world"]}
    for name in bodies:
        children[carried[name]["parent"] if name in carried else "world"].append(name)

    def tag(name, parent):
        b, hung = bodies[name], carried.get(name)
        at, turned = (np.array(parent["pos"]), parent["quat"]) if parent else (np.zeros(3), [1.0, 0, 0, 0])
        pos, quat = matrix(turned).T @ (np.array(b["pos"]) - at), product(conjugate(turned), b["quat"])
        text = f'<body name="{name}" pos="{row(pos)}" quat="{row(quat)}">'
        if hung:
            own = matrix(b["quat"]).T
            anchor, axis = own @ (np.array(hung["anchor"]) - b["pos"]), own @ np.array(hung["axis"])
            kind = {"revolute": "hinge", "prismatic": "slide", "ball": "ball"}[hung["type"]]
            text += f'<joint type="{kind}" pos="{row(anchor)}" axis="{row(axis)}"/>'
        else:
            text += "<freejoint/>"
        text += f'<inertial pos="0 0 0" mass="{b["mass"]!r}" diaginertia="{row(b["inertia"])}"/>'
        text += "".join(geom(s, assets) for s in b["shapes"])
        return text + "".join(tag(child, b) for child in children[name]) + "</body>"

    tags = "".join(geom(s, assets) for s in world["statics"]) + "".join(tag(n, None) for n in children["world"])
    option, contact = "", ""
    if accurate:
        free = sum(bool(b["shapes"]) for b in world["bodies"]) + len(world["statics"]) < 2
        option = 'cone="elliptic" impratio="10" solver="Newton" iterations="100" tolerance="1e-12" noslip_iterations="20" '
        option += 'integrator="RK4"' if free else 'integrator="implicitfast"'
        contact = f'solref="{2 * dt} 1" solimp="0.99 0.999 0.0001"'
    if world["restitution"]:
        contact = spring(world["restitution"], dt)
    equality = ""
    for loop in world["loops"]:
        b = bodies[loop["a"]]
        anchor = matrix(b["quat"]).T @ (np.array(loop["anchor"]) - b["pos"])
        stiff = f'solref="{2 * dt} 1" solimp="0.999 0.9999 0.0001"' if accurate else ""
        equality += f'<connect body1="{loop["a"]}" body2="{loop["b"]}" anchor="{row(anchor)}" {stiff}/>'
    apart = "".join(f'<exclude body1="{j["parent"]}" body2="{j["child"]}"/>' for j in world["joints"] if j["parent"] != "world")
    # a friction of nought is refused by contacts with friction
    sides, mu = (3, world["friction"]) if world["friction"] else (1, 1)
    return f"""<mujoco><option timestep="{dt}" gravity="{row(world['gravity'])}" {option}/><size memory="1G"/>
        <default><geom friction="{mu} 0 0" condim="{sides}" {contact}/></default><asset>{''.join(assets)}</asset>
        <worldbody>{tags}</worldbody><equality>{equality}</equality><contact>{apart}</contact></mujoco>"""


class Engine:
    def __init__(self, world, settings):
        self.model = mujoco.MjModel.from_xml_string(model(world, settings.get("accurate", False)))
        self.data = mujoco.MjData(self.model)
        bodies, carried = rooted(world)
        self.ids = {name: self.model.body(name).id for name in bodies}
        for name, b in bodies.items():
            first = self.model.jnt_dofadr[self.model.body_jntadr[self.ids[name]]]
            hung, own = carried.get(name), matrix(b["quat"]).T
            if not hung:
                self.data.qvel[first : first + 6] = [*b["vel"], *(own @ b["omega"])]
            elif hung["type"] == "ball":
                self.data.qvel[first : first + 3] = own @ b["omega"]
            else:
                self.data.qvel[first] = hung["rate"]
            if b["force"]:
                self.data.xfrc_applied[self.ids[name], :3] = b["force"]

    def step(self, n):
        for _ in range(n):
            mujoco.mj_step(self.model, self.data)

    def states(self):
        copy = mujoco.MjData(self.model)
        copy.qpos[:], copy.qvel[:] = self.data.qpos, self.data.qvel
        mujoco.mj_kinematics(self.model, copy)
        mujoco.mj_comPos(self.model, copy)
        mujoco.mj_comVel(self.model, copy)
        out, velocity = {}, np.zeros(6)
        for name, k in self.ids.items():
            mujoco.mj_objectVelocity(self.model, copy, mujoco.mjtObj.mjOBJ_BODY, k, velocity, 0)
            out[name] = [*copy.xpos[k], *copy.xquat[k], *velocity[3:], *velocity[:3]]
        return out
