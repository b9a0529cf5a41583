"""One humanoid of 21 hinges, written as MJCF (Gudgeon, MuJoCo) and as URDF (DART, Bullet).

Capsules touch the floor and nothing else: which pairs of limbs an engine leaves out is not what is compared here.
"""

import math

# name, parent, place in the parent, hinges (axis, range in degrees), capsules (from, to, radius, mass)
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def parts():
    yield "chest", None, (0, 0, 0), [], [((0, -0.08, 0.28), (0, 0.08, 0.28), 0.1, 10.0), ((0, 0, 0.49), (0, 0, 0.52), 0.09, 4.0)]
    yield "belly", "chest", (0, 0, 0.12), [(Z, (-45, 45)), (Y, (-75, 30))], [((0, -0.05, 0), (0, 0.05, 0), 0.085, 4.0)]
    yield "pelvis", "belly", (0, 0, -0.05), [(X, (-35, 35))], [((0, -0.06, -0.1), (0, 0.06, -0.1), 0.09, 5.0)]
    for side, s in (("left", 1), ("right", -1)):
        out = (-15, 45) if s > 0 else (-45, 15)
        yield f"{side}_thigh", "pelvis", (0, 0.1 * s, -0.14), [(X, out), (Z, (-40, 40)), (Y, (-110, 20))], [((0, 0, 0), (0, 0, -0.34), 0.06, 4.5)]
        yield f"{side}_shank", f"{side}_thigh", (0, 0, -0.4), [(Y, (-2, 150))], [((0, 0, 0), (0, 0, -0.3), 0.049, 2.5)]
        yield f"{side}_foot", f"{side}_shank", (0, 0, -0.39), [(Y, (-50, 50)), (X, (-30, 30))], [((-0.05, 0, -0.03), (0.13, 0, -0.03), 0.03, 0.8)]
        out = (-10, 130) if s > 0 else (-130, 10)
        yield f"{side}_arm", "chest", (0, 0.2 * s, 0.3), [(X, out), (Y, (-150, 60))], [((0, 0.02 * s, -0.03), (0, 0.05 * s, -0.25), 0.04, 1.6)]
        yield f"{side}_forearm", f"{side}_arm", (0, 0.05 * s, -0.28), [(Y, (-140, 0))], [((0, 0, -0.02), (0, 0, -0.24), 0.031, 1.3)]


HINGES = [f"{name}_{k}" for name, _, _, hinges, _ in parts() for k in range(len(hinges))]
HEIGHT, DT, FRICTION, DAMPING, ARMATURE = 0.93, 0.003, 0.8, 0.5, 0.01


def _row(numbers):
    return " ".join(f"{x:.10g}" for x in numbers)


def mjcf():
    children = {}
    for part in parts():
        children.setdefault(part[1], []).append(part)

    def body(part, depth):
        name, parent, place, hinges, capsules = part
        pad = "  " * depth
        place = (0, 0, HEIGHT) if parent is None else place
        yield f'{pad}<body name="{name}" pos="{_row(place)}">'
        if parent is None:
            yield f"{pad}  <freejoint/>"
        for k, (axis, bounds) in enumerate(hinges):
            yield f'{pad}  <joint name="{name}_{k}" axis="{_row(axis)}" range="{_row(bounds)}" limited="true" damping="{DAMPING}" armature="{ARMATURE}"/>'
        for a, b, radius, mass in capsules:
            yield f'{pad}  <geom type="capsule" fromto="{_row(a + b)}" size="{radius}" mass="{mass}" contype="1" conaffinity="0" friction="{FRICTION} 0 0"/>'
        for child in children.get(name, []):
            yield from body(child, depth + 1)
        yield f"{pad}</body>"

    motors = "\n".join(f'    <motor name="m_{j}" joint="{j}" gear="1"/>' for j in HINGES)
    lines = "\n".join(body(children[None][0], 2))
    return f"""<mujoco model="humanoid">
  <compiler angle="degree"/>
  <option timestep="{DT}"/>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" contype="0" conaffinity="1" friction="{FRICTION} 0 0"/>
{lines}
  </worldbody>
  <actuator>
{motors}
  </actuator>
</mujoco>
"""


def _capsule_inertia(a, b, radius, mass):
    """About the middle, axes along and across; capsules here lie along an axis closely enough to be given by it."""
    length = math.dist(a, b)
    ends, shaft = 4 / 3 * math.pi * radius**3, math.pi * radius**2 * length
    density = mass / (ends + shaft)
    ends, shaft = density * ends, density * shaft
    along = shaft * radius**2 / 2 + ends * 2 * radius**2 / 5
    across = shaft * (length**2 / 12 + radius**2 / 4) + ends * (2 * radius**2 / 5 + length**2 / 4 + 3 * length * radius / 8)
    return along, across


def _rpy(a, b):
    """Turns z towards b - a."""
    d = [y - x for x, y in zip(a, b)]
    n = math.sqrt(sum(x * x for x in d))
    dx, dy, dz = (x / n for x in d)
    return (-math.asin(dy), math.atan2(dx, dz), 0.0)


def urdf():
    """Hinges beyond a part's first need links of their own: a gram each."""
    out = ['<robot name="humanoid">']
    for name, parent, place, hinges, capsules in parts():
        mass = sum(c[3] for c in capsules)
        middle = [sum(c[3] * (c[0][k] + c[1][k]) / 2 for c in capsules) / mass for k in range(3)]
        inertia = [0.0] * 3
        for a, b, radius, m in capsules:
            along, across = _capsule_inertia(a, b, radius, m)
            axis = max(range(3), key=lambda k: abs(b[k] - a[k]))
            arm = [(a[k] + b[k]) / 2 - middle[k] for k in range(3)]
            for k in range(3):
                inertia[k] += (along if k == axis else across) + m * (sum(x * x for x in arm) - arm[k] ** 2)
        last = parent
        for k, (axis, bounds) in enumerate(hinges):
            child = name if k == len(hinges) - 1 else f"{name}_link{k}"
            if child != name:
                out.append(f'<link name="{child}"><inertial><mass value="0.001"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>')
            lo, hi = (math.radians(x) for x in bounds)
            out.append(
                f'<joint name="{name}_{k}" type="revolute"><parent link="{last}"/><child link="{child}"/>'
                f'<origin xyz="{_row(place if k == 0 else (0, 0, 0))}"/><axis xyz="{_row(axis)}"/>'
                f'<limit lower="{lo}" upper="{hi}" effort="1000" velocity="1000"/><dynamics damping="{DAMPING}"/></joint>'
            )
            last = child
        shapes = "".join(
            f'<collision><origin xyz="{_row([(x + y) / 2 for x, y in zip(a, b)])}" rpy="{_row(_rpy(a, b))}"/>'
            f'<geometry><capsule radius="{r}" length="{math.dist(a, b)}"/></geometry></collision>'
            for a, b, r, _ in capsules
        )
        ixx, iyy, izz = inertia
        out.append(
            f'<link name="{name}"><inertial><origin xyz="{_row(middle)}"/><mass value="{mass}"/>'
            f'<inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial>{shapes}</link>'
        )
    out.append("</robot>")
    return "\n".join(out)
