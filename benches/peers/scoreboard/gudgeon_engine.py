"""Ours, through its Python package and a scene file."""

import numpy as np
from worlds import conjugate, matrix, product, rooted

SETTINGS = {"gudgeon": ({}, "as it comes: exact round cones, dt of the scene")}


def numbers(values):
    return "[" + ", ".join(repr(float(x)) for x in values) + "]"


def shape_text(s, move=None):
    kind, size = s["kind"], s["size"]
    if kind == "plane":
        text = "plane = {}"
    elif kind == "sphere":
        text = f"sphere = {size[0]!r}"
    elif kind == "hull":
        text = "hull = { points = [" + ", ".join(numbers(p) for p in size) + "] }"
    else:
        text = f"{kind} = {numbers(size)}"
    pos = np.array(s["pos"]) + (0 if move is None else move)
    return f"{{ {text}, position = {numbers(pos)}, orientation = {numbers(s['quat'])} }}"


def scene(world):
    bodies, carried = rooted(world)
    lines = [
        f"gravity = {numbers(world['gravity'])}", f"dt = {world['dt']!r}", f"friction = {world['friction']!r}",
        f"restitution = {world['restitution']!r}", f"duration = {world['dt'] * world['steps']!r}",
    ]
    for s in world["statics"]:
        bare = {**s, "pos": [0, 0, 0], "quat": [1, 0, 0, 0]}
        lines += ["[[static]]", f"shape = {shape_text(bare)}", f"position = {numbers(s['pos'])}",
                  f"orientation = {numbers(s['quat'])}"]
    frame = {"world": (np.zeros(3), [1.0, 0.0, 0.0, 0.0])}
    for b in world["bodies"]:
        hung = carried.get(b["name"])
        origin = np.array(hung["anchor"] if hung else b["pos"])
        frame[b["name"]] = (origin, b["quat"])
        centre = matrix(b["quat"]).T @ (np.array(b["pos"]) - origin)
        lines += ["[[body]]", f'name = "{b["name"]}"', f"mass = {b['mass']!r}", f"center = {numbers(centre)}"]
        x, y, z = b["inertia"]
        lines += [f"inertia = [{numbers([x, 0, 0])}, {numbers([0, y, 0])}, {numbers([0, 0, z])}]"]
        parts = [shape_text(s, centre) for s in b["shapes"]]
        if parts:
            lines += [f"shape = {parts[0]}" if len(parts) == 1 else f"shape = {{ compound = [{', '.join(parts)}] }}"]
        if not hung:
            lines += [f"{key} = {numbers(b[old])}" for key, old in
                      [("position", "pos"), ("orientation", "quat"), ("velocity", "vel"), ("angular_velocity", "omega")]]
    for j in world["joints"]:
        child, (at, turned) = bodies[j["child"]], frame[j["parent"]]
        local = matrix(turned).T @ (np.array(j["anchor"]) - at)
        kind = {"ball": "spherical"}.get(j["type"], j["type"])
        lines += ["[[joint]]", f'type = "{kind}"', f'parent = "{j["parent"]}"', f'child = "{j["child"]}"',
                  f"position = {numbers(local)}", f"orientation = {numbers(product(conjugate(turned), child['quat']))}"]
        if j["type"] == "ball":
            lines += [f"initial_velocity = {numbers(matrix(child['quat']).T @ np.array(child['omega']))}"]
        else:
            lines += [f"axis = {numbers(matrix(child['quat']).T @ np.array(j['axis']))}", f"initial_velocity = {j['rate']!r}"]
        if j["parent"] != "world":
            lines += ["[[apart]]", f'a = "{j["parent"]}"', f'b = "{j["child"]}"']
    for loop in world["loops"]:
        ends = []
        for side in "ab":
            at, turned = frame[loop[side]]
            ends.append(matrix(turned).T @ (np.array(loop["anchor"]) - at))
        lines += ["[[loop]]", 'type = "point"', f'a = "{loop["a"]}"', f'b = "{loop["b"]}"',
                  f"position_a = {numbers(ends[0])}", f"position_b = {numbers(ends[1])}"]
    for b in world["bodies"]:
        if b["force"]:
            lines += ["[[push]]", f'body = "{b["name"]}"', f"force = {numbers(b['force'])}", "from = 0.0", "until = 1e9"]
    return "\n".join(lines) + "\n"


class Engine:
    def __init__(self, world, settings):
        import gudgeon

        self.sim = gudgeon.Simulation(gudgeon.Model.from_text(scene(world)))
        bodies, carried = rooted(world)
        self.centres = {}
        for name, b in bodies.items():
            origin = np.array(carried[name]["anchor"] if name in carried else b["pos"])
            self.centres[name] = matrix(b["quat"]).T @ (np.array(b["pos"]) - origin)

    def step(self, n):
        self.sim.step(n)

    def states(self):
        out = {}
        for name, centre in self.centres.items():
            quat, velocity = self.sim.orientation(name), self.sim.velocity(name)
            arm = matrix(quat) @ centre
            omega, linear = velocity[:3], velocity[3:]
            out[name] = [*(self.sim.position(name) + arm), *quat, *(linear + np.cross(omega, arm)), *omega]
        return out
