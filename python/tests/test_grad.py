"""Derivatives: of a step by name, of rollouts against differences, and what smoothing says of itself."""

import pickle

import gudgeon
import numpy as np
import pytest
from gudgeon import grad


def slope():
    return gudgeon.Model.builtin("slope", limit=1.2)


def test_a_step_has_matrices_with_names():
    sim = gudgeon.Simulation(gudgeon.Model.builtin("fourbar"))
    lin = sim.linearize()
    n = sim.model.nv
    assert lin.A.shape == (2 * n, 2 * n) and lin.B.shape == (2 * n, n)
    assert lin.C.shape == (2 * n, len(lin.parameters)) and len(lin.states) == 2 * n
    assert "gravity.z" in lin.parameters
    dq, dv = lin.jvp(dv=np.eye(n)[0])
    np.testing.assert_allclose(np.concatenate([dq, dv]), lin.A[:, n], atol=1e-12)
    back = lin.vjp(np.zeros(n), np.eye(n)[0])
    np.testing.assert_allclose(np.concatenate([back["q"], back["v"]]), lin.A[n], atol=1e-12)
    assert sim.steps == 0
    again = pickle.loads(pickle.dumps(lin))
    np.testing.assert_array_equal(again.A, lin.A)
    np.testing.assert_array_equal(again.C, lin.C)


def test_controls_of_actuators_have_columns():
    mjcf = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/></body></worldbody>
      <actuator><motor name="m" joint="hinge" gear="3"/><position name="p" joint="hinge" kp="20"/></actuator></mujoco>"""
    model = gudgeon.Model.from_text(mjcf, "xml")
    sim = gudgeon.Simulation(model)
    lin = sim.linearize()
    assert lin.B_controllers.shape == (2, 2)
    np.testing.assert_allclose(lin.B_controllers, lin.B * [3.0, 20.0], rtol=1e-12)


ARM = """<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="2 2 0.1"/><body pos="0 0 0.3">
  <joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.02" mass="0.5"/>
  <body pos="0.25 0 0"><joint name="b" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.02" mass="0.3"/></body></body></worldbody>
  <actuator><motor name="m" joint="a" gear="2"/><position name="p" joint="b" kp="20"/></actuator></mujoco>"""


def test_inputs_of_controllers_have_gradients():
    model = gudgeon.Model.from_text(ARM, "xml")
    sim = gudgeon.Simulation(model)
    steps = 60
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((steps, 2)) * 0.3
    run = grad.rollout(model, sim.q, sim.v, inputs=inputs)
    sim.set_controls(inputs[0])
    sim.step()
    np.testing.assert_array_equal(run.q[1], sim.q)
    worth = rng.standard_normal(run.v.shape)
    found = run.vjp(None, worth)
    assert found.inputs.shape == (steps, 2)
    along = rng.standard_normal(inputs.shape)
    h = 1e-6

    def value(x):
        return float((grad.rollout(model, run.q[0], run.v[0], inputs=x).v * worth).sum())

    slope = (value(inputs + h * along) - value(inputs - h * along)) / (2 * h)
    assert float((found.inputs * along).sum()) == pytest.approx(slope, rel=1e-5)
    _, dv = run.jvp(np.zeros(2), np.zeros(2), dinputs=along)
    assert float((dv * worth).sum()) == pytest.approx(float((found.inputs * along).sum()), rel=1e-10)
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again.v, run.v)
    with pytest.raises(ValueError, match="inputs"):
        grad.rollout(model, run.q[0], run.v[0], inputs=np.zeros((5, 3)))


def test_inputs_of_one_step():
    sim = gudgeon.Simulation(gudgeon.Model.from_text(ARM, "xml"))
    lin = sim.linearize()
    dq, dv = lin.jvp(dinputs=[1.0, -2.0])
    np.testing.assert_allclose(np.concatenate([dq, dv]), lin.B_controllers @ [1.0, -2.0], rtol=1e-12)
    back = lin.vjp(np.zeros(2), np.array([0.3, 0.7]))
    np.testing.assert_allclose(back["inputs"], lin.B_controllers[2:].T @ [0.3, 0.7], rtol=1e-9)


def test_friction_slows_a_box_by_as_much_as_differences_say():
    model = slope()
    sim = gudgeon.Simulation(model)
    steps = 20
    run = grad.rollout(model, sim.q, sim.v, steps=steps, friction=0.4)
    worth = np.zeros_like(run.v)
    worth[-1, 3] = 1.0
    found = run.vjp(None, worth)
    assert found.smoothing == "none"

    def speed(mu):
        return grad.rollout(model, sim.q, sim.v, steps=steps, friction=mu).v[-1, 3]

    h = 1e-6
    assert found.friction == pytest.approx((speed(0.4 + h) - speed(0.4 - h)) / (2 * h), rel=1e-5)


def test_copies_on_threads_give_the_same_numbers():
    model = slope()
    sim = gudgeon.Simulation(model)
    q, v = np.tile(sim.q, (5, 1)), np.tile(sim.v, (5, 1))
    v[:, 3] += np.arange(5) * 0.1
    out = []
    for threads in (1, 3):
        run = grad.rollout(model, q, v, steps=10, threads=threads)
        out.append(run.vjp(None, np.ones_like(run.v)))
    for key in ("q", "v", "controls"):
        np.testing.assert_array_equal(getattr(out[0], key), getattr(out[1], key))
    again = pickle.loads(pickle.dumps(out[0]))
    assert again.parameters == out[0].parameters
    done = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(done.v, run.v)
    np.testing.assert_array_equal(done.vjp(None, np.ones_like(run.v)).v, out[1].v)


def test_smoothing_is_asked_for_by_name_and_says_so():
    model = slope()
    sim = gudgeon.Simulation(model)
    for smoothing in (grad.Randomised(0.01, samples=3), grad.Relaxed(1e4, 10.0)):
        run = grad.rollout(model, sim.q, sim.v, steps=5, smoothing=smoothing)
        found = run.vjp(None, np.ones_like(run.v))
        assert found.smoothing == smoothing.name
        assert np.isfinite(found.v).all()


def test_what_has_no_derivative_is_refused_by_name():
    sim = gudgeon.Simulation(gudgeon.Model.builtin("squat"))
    with pytest.raises(gudgeon.GradientError, match="follow a motion"):
        sim.linearize()


def test_torch_agrees_with_the_plain_gradient():
    torch = pytest.importorskip("torch")
    from gudgeon.torch import rollout

    model = slope()
    sim = gudgeon.Simulation(model)
    u = torch.zeros(6, model.nv, dtype=torch.float64, requires_grad=True)
    q, v = rollout(model, torch.tensor(np.array(sim.q)), torch.tensor(np.array(sim.v)), u)
    v[-1, 3].backward()
    run = grad.rollout(model, sim.q, sim.v, np.zeros((6, model.nv)))
    worth = np.zeros_like(run.v)
    worth[-1, 3] = 1.0
    np.testing.assert_allclose(u.grad.numpy(), run.vjp(None, worth).controls, atol=1e-12)


def test_jax_agrees_with_the_plain_gradient():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from gudgeon.jax import rollout

    model = slope()
    sim = gudgeon.Simulation(model)
    run = rollout(model)
    u = np.zeros((6, model.nv))
    found = jax.grad(lambda u: run(np.array(sim.q), np.array(sim.v), u)[1][-1, 3])(u)
    plain = grad.rollout(model, sim.q, sim.v, u)
    worth = np.zeros_like(plain.v)
    worth[-1, 3] = 1.0
    np.testing.assert_allclose(np.asarray(found), plain.vjp(None, worth).controls, atol=1e-12)


def test_jax_has_gradients_of_friction_also_in_batches_and_jitted():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from gudgeon.jax import rollout

    model = slope()
    sim = gudgeon.Simulation(model)
    q, v = np.tile(sim.q, (3, 1)), np.tile(sim.v, (3, 1))
    v[:, 3] += [0.0, 0.1, 0.2]
    u = np.zeros((3, 8, model.nv))
    run = rollout(model)

    def last(friction):
        return run(q, v, u, friction=friction)[1][:, -1, 3].sum()

    found = jax.jit(jax.grad(last))(0.4)
    plain = grad.rollout(model, q, v, u, friction=0.4)
    worth = np.zeros_like(plain.v)
    worth[:, -1, 3] = 1.0
    assert float(found) == pytest.approx(plain.vjp(None, worth).friction, rel=1e-12)
    with pytest.raises(ValueError, match="controls or inputs"):
        run(q, v)


def test_jax_and_torch_take_inputs_of_controllers():
    model = gudgeon.Model.from_text(ARM, "xml")
    sim = gudgeon.Simulation(model)
    q, v, u = np.array(sim.q), np.array(sim.v), np.full((6, 2), 0.1)
    plain = grad.rollout(model, q, v, inputs=u)
    worth = np.zeros_like(plain.v)
    worth[-1, 0] = 1.0
    expected = plain.vjp(None, worth).inputs
    asked = False
    try:
        import jax
    except ImportError:
        pass
    else:
        asked = True
        jax.config.update("jax_enable_x64", True)
        from gudgeon.jax import rollout

        run = rollout(model)
        found = jax.grad(lambda u: run(q, v, np.zeros((6, 2)), u)[1][-1, 0])(u)
        np.testing.assert_allclose(np.asarray(found), expected, atol=1e-12)
    try:
        import torch
    except ImportError:
        pass
    else:
        asked = True
        from gudgeon.torch import rollout as torched

        tensor = torch.tensor(u, requires_grad=True)
        _, speeds = torched(model, torch.tensor(q), torch.tensor(v), inputs=tensor)
        speeds[-1, 0].backward()
        np.testing.assert_allclose(tensor.grad.numpy(), expected, atol=1e-12)
    if not asked:
        pytest.skip("neither jax nor torch is here")
