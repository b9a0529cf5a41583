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
) -> Callable[[Any, Any, Any], tuple[Any, Any]]:
    """A function of q, v and controls ((B x) nq, nv, T x nv) to all positions and velocities."""

    def run(q: Any, v: Any, controls: Any) -> grad.Run:
        return grad.rollout(
            model, np.asarray(q), np.asarray(v), np.asarray(controls), threads=threads, smoothing=smoothing
        )

    def states(q: Any, v: Any, controls: Any) -> tuple[Any, Any]:
        done = run(q, v, controls)
        return done.q.astype(q.dtype), done.v.astype(v.dtype)

    def shares(q: Any, v: Any, controls: Any, on_q: Any, on_v: Any) -> tuple[Any, Any, Any]:
        back = run(q, v, controls).vjp(np.asarray(on_q), np.asarray(on_v))
        return back.q.astype(q.dtype), back.v.astype(v.dtype), back.controls.astype(controls.dtype)

    def shape(x: Any) -> Any:
        return jax.ShapeDtypeStruct(x.shape, x.dtype)

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def apply(q: Any, v: Any, controls: Any) -> tuple[Any, Any]:
        rows = controls.shape[-2] + 1
        lead = q.shape[:-1]
        out = (
            jax.ShapeDtypeStruct((*lead, rows, q.shape[-1]), q.dtype),
            jax.ShapeDtypeStruct((*lead, rows, v.shape[-1]), v.dtype),
        )
        found: tuple[Any, Any] = jax.pure_callback(states, out, q, v, controls)
        return found

    def forward(q: Any, v: Any, controls: Any) -> tuple[tuple[Any, Any], tuple[Any, Any, Any]]:
        return apply(q, v, controls), (q, v, controls)

    def backward(kept: tuple[Any, Any, Any], on: tuple[Any, Any]) -> Any:
        q, v, controls = kept
        return jax.pure_callback(shares, (shape(q), shape(v), shape(controls)), q, v, controls, *on)

    apply.defvjp(forward, backward)

    def call(q: Any, v: Any, controls: Any) -> tuple[Any, Any]:
        arrays = [jnp.asarray(x) for x in (q, v, controls)]
        out: tuple[Any, Any] = apply(*arrays)
        return out

    return call
