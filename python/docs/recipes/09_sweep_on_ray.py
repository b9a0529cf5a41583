"""A sweep written piece by piece to Parquet. With `cluster=True` (the default) the pieces run on Ray."""

import tempfile

import gudgeon
import gudgeon.ray

with tempfile.TemporaryDirectory() as out:
    gudgeon.ray.sweep(
        gudgeon.Model.builtin("slope"),
        {"friction": [0.1, 0.3, 0.5, 0.7], "mass": [0.5, 2.0]},
        out=out,
        steps=300,
        piece=2,
        cluster=False,
        progress=lambda done, total: print(f"{done} of {total} pieces"),
    )
    table = gudgeon.ray.read(out)
print(table.select(["friction", "mass", "max_force", "diverged"]))
assert table.num_rows == 8
