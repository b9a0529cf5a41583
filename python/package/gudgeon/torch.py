"""Rollouts as a function of PyTorch tensors; needs the extra `torch`.

>>> import torch
>>> from gudgeon.torch import rollout            # doctest: +SKIP
>>> q, v = rollout(model, q0, v0, controls)      # doctest: +SKIP
>>> q[-1, 6].backward()                          # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from . import _core, grad

__all__ = ["rollout"]


def _numbers(x: torch.Tensor) -> Any:
    return x.detach().cpu().numpy().astype(np.float64)


def _like(x: Any, tensor: torch.Tensor | None) -> torch.Tensor | None:
    if tensor is None:
        return None
    return torch.as_tensor(x, dtype=tensor.dtype, device=tensor.device).reshape(tensor.shape)


class _Rollout(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(
        ctx: Any,
        model: _core.Model,
        q: torch.Tensor,
        v: torch.Tensor,
        controls: torch.Tensor | None,
        inputs: torch.Tensor | None,
        friction: torch.Tensor | None,
        restitution: torch.Tensor | None,
        threads: int,
        smoothing: grad.Randomised | grad.Relaxed | None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        ctx.run = grad.rollout(
            model,
            _numbers(q),
            _numbers(v),
            None if controls is None else _numbers(controls),
            inputs=None if inputs is None else _numbers(inputs),
            friction=None if friction is None else float(friction),
            restitution=None if restitution is None else float(restitution),
            threads=threads,
            smoothing=smoothing,
        )
        ctx.inputs = [q, v, controls, inputs, friction, restitution]
        new = [torch.as_tensor(x, dtype=t.dtype, device=t.device) for x, t in ((ctx.run.q, q), (ctx.run.v, v))]
        return new[0], new[1]

    @staticmethod
    def backward(ctx: Any, on_q: torch.Tensor, on_v: torch.Tensor) -> Any:
        found = ctx.run.vjp(_numbers(on_q), _numbers(on_v))
        worth = (found.q, found.v, found.controls, found.inputs, found.friction, found.restitution)
        back = [_like(x, tensor) for x, tensor in zip(worth, ctx.inputs, strict=True)]
        return None, *back, None, None


def rollout(
    model: _core.Model,
    q: torch.Tensor,
    v: torch.Tensor,
    controls: torch.Tensor | None = None,
    *,
    inputs: torch.Tensor | None = None,
    friction: torch.Tensor | None = None,
    restitution: torch.Tensor | None = None,
    threads: int = 0,
    smoothing: grad.Randomised | grad.Relaxed | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Positions and velocities, (B x) (T + 1) x nq and nv, with gradients to everything that is a tensor.

    `controls` are joint forces ((B x) T x nv), `inputs` what controllers are told ((B x) T x controllers); one of them is
    needed.
    """
    out: tuple[torch.Tensor, torch.Tensor] = _Rollout.apply(
        model, q, v, controls, inputs, friction, restitution, threads, smoothing
    )
    return out
