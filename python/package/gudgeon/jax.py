"""Rollouts as a function of JAX arrays with a gradient of their own; needs the extra `jax`.

>>> import jax
>>> from gudgeon.jax import rollout                                                  # doctest: +SKIP
>>> run = rollout(model)                                                             # doctest: +SKIP
>>> jax.grad(lambda u: run(q0, v0, u)[0][-1, 6])(controls)                           # doctest: +SKIP

The simulation runs on the host through `jax.pure_callback`, so the function may be jitted. 64-bit numbers are wanted:
`jax.config.update("jax_enable_x64", True)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import _core, grad

__all__ = ["rollout"]


def rollout(
    model: _core.Model,
    *,
    threads: int = 0,
    smoothing: grad.Randomised | grad.Relaxed | None = None,
) -> Callable[..., tuple[Any, Any]]:
    """A function of q, v, controls and inputs ((B x) nq, nv, T x nv, T x controllers) to all positions and velocities.

    Inputs, which controllers are told, may be left out, or controls; `friction` and `restitution`, numbers for all
    surfaces, may be given by name. All of them have gradients.
    """

    def run(given: dict[str, Any]) -> grad.Run:
        told: dict[str, Any] = {key: np.asarray(x) for key, x in given.items()}
        q, v = told.pop("q"), told.pop("v")
        numbers: dict[str, Any] = {key: float(told.pop(key)) for key in ("friction", "restitution") if key in told}
        return grad.rollout(model, q, v, **told, **numbers, threads=threads, smoothing=smoothing)

    def states(given: dict[str, Any]) -> tuple[Any, Any]:
        done = run(given)
        return done.q.astype(given["q"].dtype), done.v.astype(given["v"].dtype)

    def shares(on: tuple[Any, Any], given: dict[str, Any]) -> dict[str, Any]:
        back = run(given).vjp(np.asarray(on[0]), np.asarray(on[1]))
        return {key: np.asarray(getattr(back, key)).astype(x.dtype).reshape(x.shape) for key, x in given.items()}

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def apply(given: dict[str, Any]) -> tuple[Any, Any]:
        q, v = given["q"], given["v"]
        rows = given["controls"] if "controls" in given else given["inputs"]
        lead = (*q.shape[:-1], rows.shape[-2] + 1)
        out = tuple(jax.ShapeDtypeStruct((*lead, x.shape[-1]), x.dtype) for x in (q, v))
        found: tuple[Any, Any] = jax.pure_callback(states, out, given)
        return found

    def forward(given: dict[str, Any]) -> tuple[tuple[Any, Any], dict[str, Any]]:
        return apply(given), given

    def backward(given: dict[str, Any], on: tuple[Any, Any]) -> Any:
        like = {key: jax.ShapeDtypeStruct(x.shape, x.dtype) for key, x in given.items()}
        return (jax.pure_callback(shares, like, on, given),)

    apply.defvjp(forward, backward)

    def call(
        q: Any, v: Any, controls: Any = None, inputs: Any = None, *, friction: Any = None, restitution: Any = None
    ) -> tuple[Any, Any]:
        if controls is None and inputs is None:
            raise ValueError("controls or inputs are needed: they say how many steps there are")
        named = {"controls": controls, "inputs": inputs, "friction": friction, "restitution": restitution}
        given = {"q": q, "v": v, **{key: x for key, x in named.items() if x is not None}}
        out: tuple[Any, Any] = apply({key: jnp.asarray(x) for key, x in given.items()})
        return out

    return call
