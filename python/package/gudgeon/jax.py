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

    Inputs, which controllers are told, may be left out.
    """

    def run(q: Any, v: Any, controls: Any, inputs: Any = None) -> grad.Run:
        rows = [None if x is None else np.asarray(x) for x in (controls, inputs)]
        return grad.rollout(
            model, np.asarray(q), np.asarray(v), rows[0], inputs=rows[1], threads=threads, smoothing=smoothing
        )

    def states(q: Any, v: Any, *rows: Any) -> tuple[Any, Any]:
        done = run(q, v, *rows)
        return done.q.astype(q.dtype), done.v.astype(v.dtype)

    def shares(on: tuple[Any, Any], *kept: Any) -> tuple[Any, ...]:
        back = run(*kept).vjp(np.asarray(on[0]), np.asarray(on[1]))
        worth = (back.q, back.v, back.controls, back.inputs)
        return tuple(x.astype(k.dtype) for x, k in zip(worth, kept, strict=False))

    def shape(x: Any) -> Any:
        return jax.ShapeDtypeStruct(x.shape, x.dtype)

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def apply(q: Any, v: Any, *rows: Any) -> tuple[Any, Any]:
        many = rows[0].shape[-2] + 1
        lead = q.shape[:-1]
        out = (
            jax.ShapeDtypeStruct((*lead, many, q.shape[-1]), q.dtype),
            jax.ShapeDtypeStruct((*lead, many, v.shape[-1]), v.dtype),
        )
        found: tuple[Any, Any] = jax.pure_callback(states, out, q, v, *rows)
        return found

    def forward(*given: Any) -> tuple[tuple[Any, Any], tuple[Any, ...]]:
        return apply(*given), given

    def backward(kept: tuple[Any, ...], on: tuple[Any, Any]) -> Any:
        return jax.pure_callback(shares, tuple(shape(x) for x in kept), on, *kept)

    apply.defvjp(forward, backward)

    def call(q: Any, v: Any, controls: Any, inputs: Any = None) -> tuple[Any, Any]:
        given = (q, v, controls) if inputs is None else (q, v, controls, inputs)
        out: tuple[Any, Any] = apply(*(jnp.asarray(x) for x in given))
        return out

    return call
