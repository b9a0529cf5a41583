"""Rollouts, sweeps and Monte Carlo on a Ray cluster, written piece by piece to Parquet.

The work is cut into pieces of some copies each. A piece that is done becomes a file of its own in `out`, written whole
or not at all; a run that was stopped goes on with the pieces that are missing. Workers may be lost: what they had not
finished is done again elsewhere. A copy's bits depend on nothing but its own numbers, so a repeated piece is the same
piece.

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
from .rollouts import rollout as _rollout

Floats = NDArray[np.float64]
Told = Callable[[int, int], object]


def rollout(
    model: Model,
    x0: ArrayLike,
    u: ArrayLike | None = None,
    *,
    out: str | os.PathLike[str],
    steps: int | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    keep: str = "states",
    **options: Any,
) -> Path:
    """`gudgeon.rollout` over a cluster: x0 is B x (nq + nv), u is B x T x n or T x n.

    `keep` is "states" (every step) or "final" (the last one). Other options are those of `sweep`.
    """
    start = np.atleast_2d(np.asarray(x0, dtype=float))
    extra = {key: np.asarray(value, dtype=float) for key, value in (parameters or {}).items()}
    controls = None if u is None else np.asarray(u, dtype=float)
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
    """Every combination of the values of friction, mass, stiffness and damping, the last one changing fastest.

    Options: `piece` (copies in a piece, 64), `drive` and `substeps` as in `gudgeon.rollout`, `cluster` (False: in this
    process), `progress` (called with pieces done and all pieces).
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
    """`samples` copies with drawn numbers: `draw` returns friction, mass, stiffness, damping, or x0.

    Sample k has the generator of (seed, k), whatever the size of the pieces.
    """
    base = _start(model, x0)
    drawn = [dict(draw(np.random.default_rng([seed, k]))) for k in range(samples)]
    start = np.stack([np.asarray(d.pop("x0", base), dtype=float) for d in drawn])
    keys = sorted({key for d in drawn for key in d})
    extra = {key: np.array([d[key] for d in drawn], dtype=float) for key in keys}
    controls = None if u is None else np.asarray(u, dtype=float)
    shown = {key: value for key, value in extra.items() if value.ndim == 1}
    return _run(model, start, controls, steps, extra, shown, Path(out), keep, **options)


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
    parameters: dict[str, Floats],
    shown: dict[str, Floats],
    steps: int | None,
    keep: str,
    options: dict[str, Any],
) -> pa.Table:
    """Runs the copies of one piece on one thread."""
    done = _rollout(model, x0, u, steps=steps, parameters=parameters or None, threads=1, **options)
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
    parameters: dict[str, Floats],
    shown: dict[str, Floats],
    out: Path,
    keep: str,
    *,
    piece: int = 64,
    drive: str = "joints",
    substeps: int = 1,
    cluster: bool = True,
    progress: Told | None = None,
) -> Path:
    if keep not in ("states", "final"):
        raise ValueError(f"keep is '{keep}', expected 'states' or 'final'")
    if piece < 1:
        raise ValueError(f"piece is {piece}, expected at least 1")
    copies = len(x0)
    options = {"drive": drive, "substeps": substeps}
    firsts = range(0, copies, piece)

    # a folder belongs to one run: its fingerprint is of everything that the answer depends on
    what = (model, x0.tobytes(), None if u is None else (u.shape, u.tobytes()), steps, keep, piece, options)
    numbers = {key: value.tobytes() for key, value in parameters.items()}
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
        own = {key: value[part] for key, value in parameters.items()}
        seen = {key: value[part] for key, value in shown.items()}
        return first, x0[part], own_u, own, seen

    # a piece without a mark is of a version before marks, and is taken at the manifest's word
    missing = [first for first in firsts if not _whole(path(first), mark, trusted=holds == mark)]
    done = len(firsts) - len(missing)
    shared = u if u is not None and u.ndim == 2 else None
    finished = _on_cluster if cluster else _here
    for first, table in finished(model, shared, missing, arguments, steps, keep, options):
        _write(table.replace_schema_metadata({_MARK: mark.encode()}), path(first))
        done += 1
        if progress is not None:
            progress(done, len(firsts))
    return out


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
) -> Iterator[tuple[int, pa.Table]]:
    import ray

    if not ray.is_initialized():
        ray.init()
    # a lost worker or node is no fault of the piece: it is done again, as often as it takes
    task = ray.remote(num_cpus=1, max_retries=-1)(_call)
    everyone, controls = ray.put(model), ray.put(shared)
    waiting = list(reversed(missing))
    running: dict[Any, int] = {}
    while waiting or running:
        slots = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        while waiting and len(running) < slots:
            first = waiting.pop()
            running[task.remote(everyone, controls, arguments(first), steps, keep, options)] = first
        ready, _ = ray.wait(list(running), num_returns=1)
        for reference in ready:
            first = running.pop(reference)
            try:
                table = ray.get(reference)
            except (ray.exceptions.ObjectLostError, ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError):
                # the answer was on a node that is gone
                waiting.append(first)
                continue
            yield first, table
