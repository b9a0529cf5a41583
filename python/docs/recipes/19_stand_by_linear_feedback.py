"""Linear-quadratic control of a standing humanoid: pushed, it stays on its feet; without feedback it falls."""

import numpy as np

import gudgeon


def hinge(name, axis):
    return f'<joint name="{name}" type="hinge" axis="{axis}" armature="0.02"/>'


def limb(name, at, mass, length, radius, joints, inner=""):
    """A capsule that hangs from its joints."""
    geom = f'<geom type="capsule" fromto="0 0 0 0 0 {-length}" size="{radius}" mass="{mass}"/>'
    return f'<body name="{name}" pos="{at}">{joints}{geom}{inner}</body>'


def leg(side, y):
    sole = '<geom type="box" pos="0.04 0 -0.03" size="0.11 0.05 0.02" mass="0.9"/>'
    ankle = hinge(f"pitch{side}", "0 1 0") + hinge(f"roll{side}", "1 0 0")
    foot = f'<body name="foot{side}" pos="0 0 -0.38">{ankle}{sole}</body>'
    shin = limb(f"shin{side}", "0 0 -0.38", 2.8, 0.36, 0.045, hinge(f"knee{side}", "0 1 0"), foot)
    hip = hinge(f"hip{side}", "0 1 0") + hinge(f"out{side}", "1 0 0")
    return limb(f"thigh{side}", f"0 {y} -0.1", 6.0, 0.36, 0.055, hip, shin)


arms = "".join(
    limb(f"arm{side}", f"0 {y} 0.42", 2.5, 0.5, 0.035, hinge(f"shoulder{side}", "0 1 0"))
    for side, y in (("L", 0.2), ("R", -0.2))
)
trunk = f"""<body name="trunk" pos="0 0 0.05">{hinge("waist", "0 1 0")}
  <geom type="capsule" fromto="0 0 0.08 0 0 0.45" size="0.09" mass="20" contype="0" conaffinity="0"/>{arms}</body>"""
legs = leg("L", 0.09) + leg("R", -0.09)
mjcf = f"""<mujoco><option timestep="0.002"/><worldbody>
  <geom type="plane" size="5 5 0.1" friction="0.9"/>
  <body name="pelvis" pos="0 0 0.91"><freejoint/>
    <geom type="box" size="0.08 0.12 0.06" mass="9" contype="0" conaffinity="0"/>{trunk}{legs}</body>
  </worldbody></mujoco>"""
model = gudgeon.Model.from_text(mjcf, "xml")
n = model.nv
print(n, "degrees of freedom")

# stiff springs let it settle; what they then push with is what holds it
sim = gudgeon.Simulation(model)
wanted = sim.q.copy()
for _ in range(1500):
    sim.control[6:] = 800.0 * (wanted[7:] - sim.q[7:]) - 30.0 * sim.v[6:]
    sim.step()
stand, hold = sim.q.copy(), sim.control.copy()
print("stands at rest:", np.abs(sim.v).max())

# what one step does to a small deviation; the first six dofs have no motor
lin = sim.linearize()
A, B = lin.A, lin.B[:, 6:]
print("kinks:", sorted({kind for kind, _, _ in lin.kinks}))
# where the feet stand does not matter: no price on x, y and the turn about z
price = np.concatenate([[30, 30, 0, 0, 0, 30], np.full(n - 6, 10), np.full(n, 0.5)])
Q, R = np.diag(price.astype(float)), 1e-3 * np.eye(n - 6)
P = Q
for _ in range(1500):  # the discrete Riccati equation, by iteration: a horizon of three seconds
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)


def deviation(q, v):
    """From the standing pose, in the tangent space: half the turn is the vector part of the quaternion's quotient."""
    w, x, y, z = stand[0], *(-stand[1:4])
    a, b, c, d = q[:4]
    quotient = [w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a]
    return np.concatenate([2.0 * np.array(quotient), q[4:7] - stand[4:7], q[7:] - stand[7:], v])


def pushed(feedback, newton_seconds=9.0):
    """How low the pelvis comes, and how fast it is at the end, after a push from behind."""
    sim.q, sim.v = stand, newton_seconds / 45.0 * np.eye(n)[3]
    lowest = stand[6]
    for _ in range(1500):
        sim.control[:] = hold
        if feedback:
            sim.control[6:] -= K @ deviation(sim.q, sim.v)
        sim.step()
        lowest = min(lowest, sim.q[6])
    return lowest, np.abs(sim.v).max()


held, fallen = pushed(True), pushed(False)
print(f"pelvis at {stand[6]:.3f} m; pushed: {held[0]:.3f} m with feedback, {fallen[0]:.3f} m without")
assert held[0] > stand[6] - 0.03 and held[1] < 0.05
assert fallen[0] < 0.5
