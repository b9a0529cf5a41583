"""Rollouts, sweeps and Monte Carlo on a Ray cluster, written piece by piece to Parquet.

The work is cut into pieces of some copies each. A piece that is done becomes a file of its own in `out`, written whole
or not at all; a run that was stopped goes on with the pieces that are missing. Workers may be lost: what they had not
finished is done again elsewhere. A copy's bits depend on nothing but its own numbers, so a repeated piece is the same
piece. A model takes the meshes of its file along; a policy, if there is one, runs beside its copies in the worker.

>>> import gudgeon.ray
>>> gudgeon.ray.sweep(model, {"friction": [0.2, 0.4, 0.8]}, out="sweep", steps=1000)
>>> gudgeon.ray.read("sweep").to_pandas()

Needs ``pip install gudgeon[ray]``; with ``cluster=False`` everything runs in this process and only pyarrow is needed.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import ArrayLike, NDArray

from ._core import Model
from .rollouts import arrays_of, each, spread
from .rollouts import rollout as _rollout

Floats = NDArray[np.float64]
Told = Callable[[int, int], object]


def rollout(
    model: Model,
    x0: ArrayLike | None = None,
    u: ArrayLike | None = None,
    *,
    out: str | os.PathLike[str],
    steps: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    copies: int | None = None,
    keep: str = "states",
    **options: Any,
) -> Path:
    """`gudgeon.rollout` over a cluster: x0 is B x (nq + nv), or nq + nv for all copies, or None for the model's start;
    u is B x T x n or T x n for all; `parameters` as there, a number for all copies too. How many copies there are follows
    from what has rows, or is `copies`.

    `keep` is "states" (every step) or "final" (the last one). Other options are those of `sweep`.
    """
    start = _start(model, x0)
    extra = spread(parameters)
    controls = None if u is None else np.asarray(u, dtype=float)
    rows = {"x0": start.shape[0]} if start.ndim == 2 else {}
    if controls is not None and controls.ndim == 3:
        rows["u"] = controls.shape[0]
    for key, value in extra.items():
        for array in arrays_of({key: value}):
            if array.ndim > 0:
                rows[f"parameters['{key}']"] = array.shape[0]
    if copies is not None:
        rows["copies"] = copies
    if len(set(rows.values())) > 1:
        raise ValueError("not the same number of copies: " + ", ".join(f"{key} {n}" for key, n in rows.items()))
    count = next(iter(rows.values()), 1)
    start = np.broadcast_to(start, (count, model.nq + model.nv))
    extra = each(extra, lambda a: np.broadcast_to(a, (count,)) if a.ndim == 0 else a)
    return _run(model, start, controls, steps, extra, {}, Path(out), keep, **options)


def sweep(
    model: Model,
    values: Mapping[str, Sequence[float]],
    *,
    out: str | os.PathLike[str],
    steps: int | None = None,
    x0: ArrayLike | None = None,
    u: ArrayLike | None = None,
    keep: str = "final",
    **options: Any,
) -> Path:
    """Every combination of the values of friction, mass and the other parameters of `gudgeon.rollout` that are one number
    for a copy, the last one changing fastest.

    Options: `piece` (copies in a piece, 64), `drive` and `substeps` as in `gudgeon.rollout`, `cluster` (False: in this
    process), `retries` (how often a piece may be lost with its worker before the run gives up, 3), `policy` (in place of
    u: ``policy(t, q, v, touch)`` is called in the workers with the rows of a piece and returns their controls),
    `progress` (called with pieces done and all pieces).
    """
    grid = np.array(list(itertools.product(*values.values())), dtype=float)
    extra = {key: grid[:, k] for k, key in enumerate(values)}
    start = np.broadcast_to(_start(model, x0), (len(grid), model.nq + model.nv))
    controls = None if u is None else np.asarray(u, dtype=float)
    return _run(model, start, controls, steps, extra, extra, Path(out), keep, **options)


def monte_carlo(
    model: Model,
    draw: Callable[[np.random.Generator], Mapping[str, Any]],
    samples: int,
    *,
    seed: int,
    out: str | os.PathLike[str],
    steps: int | None = None,
    x0: ArrayLike | None = None,
    u: ArrayLike | None = None,
    keep: str = "final",
    **options: Any,
) -> Path:
    """`samples` copies with drawn numbers: `draw` returns any of the parameters of `gudgeon.rollout`, or x0.

    Sample k has the generator of (seed, k), whatever the size of the pieces. All draws have the same names and shapes.
    """
    base = _start(model, x0)
    drawn = [dict(draw(np.random.default_rng([seed, k]))) for k in range(samples)]
    start = _stacked("x0", [d.pop("x0", base) for d in drawn])
    extra: dict[str, Any] = {}
    for key in drawn[0] if drawn else {}:
        rows = [_named(d, key, k) for k, d in enumerate(drawn)]
        if isinstance(rows[0], Mapping):
            names = list(rows[0])
            extra[key] = {n: _stacked(f"{key}['{n}']", [_named(r, n, k) for k, r in enumerate(rows)]) for n in names}
        else:
            extra[key] = _stacked(key, rows)
    for k, own in enumerate(drawn):
        for key in own:
            if key not in extra:
                raise ValueError(f"sample {k} has '{key}', and sample 0 has not: every draw needs the same names")
    controls = None if u is None else np.asarray(u, dtype=float)
    shown = {key: value for key, value in extra.items() if not isinstance(value, dict) and value.ndim == 1}
    return _run(model, start, controls, steps, extra, shown, Path(out), keep, **options)


def _named(drawn: Any, key: str, sample: int) -> Any:
    """A number of a draw."""
    if not isinstance(drawn, Mapping) or key not in drawn:
        raise ValueError(f"sample {sample} has no '{key}', and sample 0 has: every draw needs the same names")
    return drawn[key]


def _stacked(name: str, rows: list[Any]) -> Floats:
    """Draws as one array; the first of another shape is named."""
    arrays = [np.asarray(row, dtype=float) for row in rows]
    for k, array in enumerate(arrays):
        if array.shape != arrays[0].shape:
            raise ValueError(f"{name} of sample {k} has shape {array.shape}, that of sample 0 {arrays[0].shape}")
    return np.stack(arrays) if arrays else np.zeros(0)


def read(out: str | os.PathLike[str]) -> pa.Table:
    """All pieces that are there, in the order of the copies."""
    names = sorted(Path(out).glob("piece-*.parquet"))
    if not names:
        raise FileNotFoundError(f"{out}: no piece of a run")
    return pa.concat_tables([pq.read_table(name) for name in names])


def states(out: str | os.PathLike[str]) -> Floats:
    """B x T x (nq + nv) of a run that kept its states."""
    table = read(out)
    if "states" not in table.column_names:
        raise ValueError(f"{out}: the run kept only final states")
    flat = table["states"].combine_chunks().flatten().to_numpy()
    steps = int(table["steps"][0].as_py())
    return np.asarray(flat.reshape(table.num_rows, steps, -1))


def _start(model: Model, x0: ArrayLike | None) -> Floats:
    if x0 is None:
        return np.concatenate([model.q0, model.v0])
    return np.asarray(x0, dtype=float)


def _piece(
    model: Model,
    first: int,
    x0: Floats,
    u: Floats | None,
    parameters: dict[str, Any],
    shown: dict[str, Floats],
    steps: int | None,
    keep: str,
    options: dict[str, Any],
) -> pa.Table:
    """Runs the copies of one piece on one thread."""
    returns = ("states",) if keep == "states" else ()
    done = _rollout(model, x0, u, steps=steps, parameters=parameters or None, threads=1, returns=returns, **options)
    n, count = done.status.shape

    def rows(values: NDArray[Any]) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values[0].size)

    columns: dict[str, Any] = {"copy": np.arange(first, first + n)}
    columns.update(shown)
    columns["diverged"] = done.diverged
    columns["worst_status"] = np.where(done.status == 5, 0, done.status).max(axis=1)
    columns["max_force"] = done.force.max(axis=1)
    columns["max_penetration"] = done.penetration.max(axis=1)
    columns["final_q"] = rows(np.ascontiguousarray(done.q[:, -1]))
    columns["final_v"] = rows(np.ascontiguousarray(done.v[:, -1]))
    if keep == "states":
        columns["steps"] = np.full(n, count)
        columns["states"] = rows(done.states)
        columns["status"] = rows(done.status)
    return pa.table(columns)


def _write(table: pa.Table, path: Path) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    pq.write_table(table, part)
    with open(part, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(part, path)


_MARK = b"gudgeon.run"


def _fingerprint(manifest: Path) -> str | None:
    """What run a folder holds; none if its manifest is not there, or was not written whole."""
    try:
        return str(json.loads(manifest.read_text())["fingerprint"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _whole(path: Path, mark: str, *, trusted: bool) -> bool:
    """Whether a piece is there, can be read and belongs to the run."""
    try:
        found = (pq.read_schema(path).metadata or {}).get(_MARK)
    except (OSError, pa.ArrowException):
        return False
    return trusted if found is None else bool(found == mark.encode())


def _run(
    model: Model,
    x0: Floats,
    u: Floats | None,
    steps: int | None,
    parameters: dict[str, Any],
    shown: dict[str, Floats],
    out: Path,
    keep: str,
    *,
    piece: int = 64,
    drive: str = "joints",
    substeps: int = 1,
    cluster: bool = True,
    retries: int = 3,
    policy: Any = None,
    progress: Told | None = None,
) -> Path:
    if keep not in ("states", "final"):
        raise ValueError(f"keep is '{keep}', expected 'states' or 'final'")
    if piece < 1:
        raise ValueError(f"piece is {piece}, expected at least 1")
    copies = len(x0)
    options: dict[str, Any] = {"drive": drive, "substeps": substeps}
    if policy is not None:
        options["policy"] = policy
    firsts = range(0, copies, piece)

    # a folder belongs to one run: its fingerprint is of everything that the answer depends on
    what: tuple[Any, ...] = (model, x0.tobytes(), None if u is None else (u.shape, u.tobytes()), steps, keep, piece, drive, substeps)
    what = (*what, None if policy is None else _identity(policy))
    numbers = each(parameters, lambda a: (a.shape, a.tobytes()))  # type: ignore[arg-type, return-value]
    mark = hashlib.sha256(pickle.dumps((what, numbers), protocol=4)).hexdigest()
    out.mkdir(parents=True, exist_ok=True)
    manifest = out / "run.json"
    holds = _fingerprint(manifest)
    if holds is None:
        text = {"fingerprint": mark, "model": model.name, "copies": copies, "piece": piece, "pieces": len(firsts)}
        part = manifest.with_suffix(".part")
        with open(part, "w") as file:
            file.write(json.dumps(text, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, manifest)
    elif holds != mark:
        raise ValueError(f"{out} holds another run; choose another folder, or remove it")

    def path(first: int) -> Path:
        return out / f"piece-{first // piece:06}.parquet"

    def arguments(first: int) -> tuple[Any, ...]:
        part = slice(first, first + piece)
        own_u = u[part] if u is not None and u.ndim == 3 else None
        own = each(parameters, lambda a: a[part])
        seen = {key: value[part] for key, value in shown.items()}
        return first, x0[part], own_u, own, seen

    # a piece without a mark is of a version before marks, and is taken at the manifest's word
    missing = [first for first in firsts if not _whole(path(first), mark, trusted=holds == mark)]
    done = len(firsts) - len(missing)
    shared = u if u is not None and u.ndim == 2 else None
    if cluster:
        finished = _on_cluster(model, shared, missing, arguments, steps, keep, options, retries)
    else:
        finished = _here(model, shared, missing, arguments, steps, keep, options)
    for first, table in finished:
        _write(table.replace_schema_metadata({_MARK: mark.encode()}), path(first))
        done += 1
        if progress is not None:
            progress(done, len(firsts))
    return out


def _identity(policy: Any) -> Any:
    """What tells a policy from another: its code, or what pickle makes of it."""
    code = getattr(policy, "__code__", None)
    if code is not None:
        held = [repr(cell.cell_contents) for cell in policy.__closure__ or ()]
        return (policy.__qualname__, code.co_code, repr(code.co_consts), code.co_names, held)
    return pickle.dumps(policy, protocol=4)


Arguments = Callable[[int], tuple[Any, ...]]


def _call(
    model: Model, shared: Floats | None, own: tuple[Any, ...], steps: int | None, keep: str, options: dict[str, Any]
) -> pa.Table:
    first, x0, u, parameters, shown = own
    return _piece(model, first, x0, shared if u is None else u, parameters, shown, steps, keep, options)


def _here(
    model: Model,
    shared: Floats | None,
    missing: list[int],
    arguments: Arguments,
    steps: int | None,
    keep: str,
    options: dict[str, Any],
) -> Iterator[tuple[int, pa.Table]]:
    for first in missing:
        yield first, _call(model, shared, arguments(first), steps, keep, options)


def _on_cluster(
    model: Model,
    shared: Floats | None,
    missing: list[int],
    arguments: Arguments,
    steps: int | None,
    keep: str,
    options: dict[str, Any],
    retries: int,
) -> Iterator[tuple[int, pa.Table]]:
    import ray

    if not ray.is_initialized():
        ray.init()
    # a lost worker or node is no fault of the piece: it is done again, but a piece that kills its workers must end
    task = ray.remote(num_cpus=1, max_retries=0)(_call)
    # once to every node: the model with its meshes, controls that all share, the policy
    everyone, controls, how = ray.put(model), ray.put(shared), ray.put(options)
    lost: dict[int, int] = {}
    waiting = list(reversed(missing))
    running: dict[Any, int] = {}
    while waiting or running:
        slots = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        while waiting and len(running) < slots:
            first = waiting.pop()
            running[task.remote(everyone, controls, arguments(first), steps, keep, how)] = first
        ready, _ = ray.wait(list(running), num_returns=1)
        for reference in ready:
            first = running.pop(reference)
            try:
                table = ray.get(reference)
            except (
                ray.exceptions.ObjectLostError,
                ray.exceptions.WorkerCrashedError,
                ray.exceptions.NodeDiedError,
                ray.exceptions.OutOfMemoryError,
            ) as error:
                # its worker is gone, or the node that had the answer
                lost[first] = lost.get(first, 0) + 1
                if lost[first] > retries:
                    raise RuntimeError(
                        f"copies {first} and on were lost with their worker {lost[first]} times: {error}"
                    ) from error
                waiting.append(first)
                continue
            yield first, table
