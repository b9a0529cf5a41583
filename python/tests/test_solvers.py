"""Complementarity problems from Python: answers certified here, with NumPy, not taken on trust."""

import numpy as np
import pytest

import gudgeon

FOUR_LEGS = np.array([[3, 1, 1, -1], [1, 3, -1, 1], [1, -1, 3, 1], [-1, 1, 1, 3]])


def positive_definite(n, seed):
    a = np.random.default_rng(seed).normal(size=(n, n))
    return a @ a.T + 0.1 * np.eye(n)


@pytest.mark.parametrize("method", gudgeon.methods())
def test_every_method_solves_a_positive_definite_lcp(method):
    m, q = positive_definite(8, 1), np.random.default_rng(2).normal(size=8)
    answer = gudgeon.solve_lcp(m, q, method=method)
    assert answer.solved and answer.residual.natural <= 1e-9
    w = m @ answer.z + q
    assert np.abs(np.minimum(w, answer.z)).max() < 1e-7


def test_integers_lists_and_fortran_order_are_taken():
    answer = gudgeon.solve_lcp(FOUR_LEGS.tolist(), [-1, -1, -1, -1])
    other = gudgeon.solve_lcp(np.asfortranarray(FOUR_LEGS, dtype=np.float32), -np.ones(8)[::2])
    assert answer.solved and np.array_equal(answer.z, other.z)


def test_a_ray_is_a_status_and_no_error():
    answer = gudgeon.solve_lcp([[-1.0]], [-1.0])
    assert answer.status == "ray" and not answer.solved


def test_a_guess_saves_pivots():
    m, q = positive_definite(30, 3), np.random.default_rng(4).normal(size=30)
    cold = gudgeon.solve_lcp(m, q)
    warm = gudgeon.solve_lcp(m, q, start=cold.z)
    assert warm.solved and warm.pivots < cold.pivots


def test_out_of_budget_the_best_iterate_comes_back():
    m, q = positive_definite(30, 3), np.random.default_rng(4).normal(size=30)
    answer = gudgeon.solve_lcp(m, q, budget=1)
    assert answer.status == "budget" and np.isfinite(answer.z).all()


def test_a_trace_tells_every_pivot():
    answer = gudgeon.solve_lcp(positive_definite(6, 1), -np.ones(6), method="lemke", trace=True)
    assert answer.trace is not None
    assert len(answer.trace.entering) == len(answer.trace.leaving) == answer.pivots
    sweeps = gudgeon.solve_lcp(positive_definite(6, 1), -np.ones(6), method="pgs", trace=True).trace
    assert sweeps is not None and sweeps.energy.size > 0


def test_boxes_hold():
    a, b = positive_definite(5, 7), np.array([-3.0, 2.0, -1.0, 4.0, -9.0])
    answer = gudgeon.solve_mlcp(a, b, -1.0, [1.0, 1.0, np.inf, np.inf, 1.0])
    assert answer.solved
    w = a @ answer.x + b
    inside = (answer.x > -1) & (answer.x < np.array([1, 1, np.inf, np.inf, 1]))
    assert np.abs(w[inside]).max(initial=0) < 1e-8


def block(push):
    """A block of 1 kg on one point: normal and two tangents are its own axes."""
    return dict(W=np.eye(3), q=[-9.81e-3, push, 0.0], mu=[0.5])


@pytest.mark.parametrize("facets", ["exact", 4, 8])
def test_a_block_sticks_until_the_cone_is_reached(facets):
    held = gudgeon.solve_friction(**block(0.004), facets=facets)
    assert held.solved and held.mode == ["stick"] and np.allclose(held.velocity, 0, atol=1e-12)
    slides = gudgeon.solve_friction(**block(0.006), facets=facets)
    assert slides.mode == ["slip"]
    assert np.hypot(*slides.impulse[0, 1:]) == pytest.approx(0.5 * 9.81e-3, rel=1e-9)


def test_both_forms_of_a_friction_problem_agree():
    rng = np.random.default_rng(5)
    j, mass = rng.normal(size=(6, 4)), positive_definite(4, 6)
    v = rng.normal(size=4)
    w = j @ np.linalg.solve(mass, j.T)
    a = gudgeon.solve_friction(w, j @ v, [0.3, 0.6])
    b = gudgeon.solve_friction(mass=mass, J=j, free_velocity=v, mu=[0.3, 0.6])
    assert a.solved and b.solved and np.allclose(a.velocity, b.velocity, atol=1e-8)


def test_an_answer_is_a_warm_start_by_ids():
    rng = np.random.default_rng(8)
    j = rng.normal(size=(24, 12))
    w, q = j @ j.T, rng.normal(size=24)
    mu = np.full(8, 0.4)
    first = gudgeon.solve_friction(w, q, mu, ids=range(100, 108))
    again = gudgeon.solve_friction(w, q, mu, ids=range(100, 108), start=first)
    assert again.solved and again.pivots <= first.pivots
    assert np.allclose(again.velocity, first.velocity, atol=1e-7)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: gudgeon.solve_lcp(np.eye(3), np.zeros(2)), ValueError, r"M has shape \(3, 3\), expected \(2, 2\)"),
        (lambda: gudgeon.solve_lcp(np.zeros(4), np.zeros(2)), ValueError, r"M has shape \(4,\)"),
        (lambda: gudgeon.solve_lcp([["a"]], [1.0]), TypeError, "M has dtype"),
        (lambda: gudgeon.solve_lcp([[1j]], [1.0]), TypeError, "M has dtype complex128"),
        (lambda: gudgeon.solve_lcp([[1.0]], [np.nan]), gudgeon.ProblemError, r"q\[0\] is NaN, expected a finite"),
        (lambda: gudgeon.solve_lcp([[1.0]], [1.0], method="magic"), ValueError, "unknown method 'magic'"),
        (lambda: gudgeon.solve_mlcp([[1.0]], [1.0], 2.0, 1.0), gudgeon.ProblemError, "lo <= hi"),
        (lambda: gudgeon.solve_friction(np.eye(3), np.zeros(3), [-1.0]), gudgeon.ProblemError, "mu"),
        (lambda: gudgeon.solve_friction(np.eye(3), np.zeros(3), [1.0], facets=5), gudgeon.ProblemError, "facets"),
        (lambda: gudgeon.solve_friction(mu=[1.0]), ValueError, "give either W and q"),
    ],
)
def test_wrong_data_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
