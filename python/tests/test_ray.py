"""Pieces: resumable, equal to the bit wherever they are made; a node killed half-way loses nothing."""

import time

import numpy as np
import pytest

import gudgeon

pytest.importorskip("pyarrow")
import gudgeon.ray as gray  # noqa: E402

MODEL = gudgeon.Model.builtin("ragdoll", lean=0)


def starts(copies):
    x = np.tile(np.concatenate([MODEL.q0, MODEL.v0]), (copies, 1))
    x[:, 6] = 0.95
    x[:, MODEL.nq :] += np.random.default_rng(3).normal(0, 0.2, (copies, MODEL.nv))
    return x


def test_pieces_are_what_a_rollout_is(tmp_path):
    x0 = starts(7)
    out = gray.rollout(MODEL, x0, out=tmp_path / "run", steps=30, piece=3, cluster=False)
    assert [p.name for p in sorted(out.glob("piece-*"))] == [f"piece-{k:06}.parquet" for k in range(3)]
    assert np.array_equal(gray.states(out), gudgeon.rollout(MODEL, x0, steps=30).states)
    assert gray.read(out)["copy"].to_pylist() == list(range(7))


def test_a_run_goes_on_where_it_stopped(tmp_path):
    x0, told = starts(8), []

    def stop_after_two(done, total):
        told.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    options = dict(out=tmp_path / "run", steps=10, piece=2, cluster=False)
    with pytest.raises(KeyboardInterrupt):
        gray.rollout(MODEL, x0, **options, progress=stop_after_two)
    before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "run").glob("piece-*")}
    gray.rollout(MODEL, x0, **options, progress=lambda *pair: told.append(pair))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert all((tmp_path / "run" / name).stat().st_mtime_ns == when for name, when in before.items())
    with pytest.raises(ValueError, match="holds another run"):
        gray.rollout(MODEL, x0 + 1e-3, **options)


def test_sweeps_and_samples_name_their_numbers(tmp_path):
    slope = gudgeon.Model.builtin("slope")
    table = gray.read(
        gray.sweep(slope, {"friction": [0.0, 2.0], "mass": [1.0, 3.0]}, out=tmp_path / "a", steps=200, cluster=False)
    )
    assert table["friction"].to_pylist() == [0.0, 0.0, 2.0, 2.0] and table["mass"].to_pylist() == [1, 3, 1, 3]
    final = np.array(table["final_q"].to_pylist())
    moved = np.linalg.norm(final[:, 4:7] - slope.q0[4:7], axis=1)
    assert moved[:2].min() > 0.01 and moved[2:].max() < 1e-6

    def draw(rng):
        return {"friction": rng.uniform(0.1, 0.9)}

    options = dict(seed=4, steps=20, cluster=False)
    whole = gray.read(gray.monte_carlo(slope, draw, 6, out=tmp_path / "b", piece=6, **options))
    parts = gray.read(gray.monte_carlo(slope, draw, 6, out=tmp_path / "c", piece=2, **options))
    assert whole.equals(parts.combine_chunks()), "samples do not depend on the pieces"


def test_ragged_draws_and_broadcasts(tmp_path):
    slope = gudgeon.Model.builtin("slope")
    options = dict(seed=1, steps=5, cluster=False)
    uneven = lambda rng: {"com": [[0.0] * 3] * (2 if rng.random() < 0.5 else 3)}  # noqa: E731
    with pytest.raises(ValueError, match="com of sample .* has shape"):
        gray.monte_carlo(slope, uneven, 20, out=tmp_path / "a", **options)
    sometimes = lambda rng: {"friction": 0.5} if rng.random() < 0.5 else {"mass": 1.0}  # noqa: E731
    with pytest.raises(ValueError, match="every draw needs the same names"):
        gray.monte_carlo(slope, sometimes, 20, out=tmp_path / "b", **options)
    with pytest.raises(ValueError, match="not the same number of copies: x0 2, parameters"):
        x0 = np.tile(np.concatenate([slope.q0, slope.v0]), (2, 1))
        gray.rollout(slope, x0, out=tmp_path / "c", steps=5, parameters={"mass": [1, 2, 3]}, cluster=False)
    out = gray.rollout(
        slope, np.concatenate([slope.q0, slope.v0]), out=tmp_path / "d", steps=5, copies=4, piece=3, cluster=False,
        parameters={"friction": 0.3, "mass": {slope.links[1]: [1, 2, 3, 4]}},
    )  # fmt: skip
    assert gray.states(out).shape == (4, 5, slope.nq + slope.nv)


def test_policies_run_beside_their_copies(tmp_path):
    x0 = starts(5)

    def damp(t, q, v, touch):
        u = -2.0 * v
        u[:, :6] = 0.0
        return u

    out = gray.rollout(MODEL, x0, out=tmp_path / "run", steps=20, piece=2, policy=damp, cluster=False)
    alone = gudgeon.rollout(MODEL, x0, steps=20, policy=damp)
    assert np.array_equal(gray.states(out), alone.states)

    def other(t, q, v, touch):
        return np.zeros(v.shape)

    with pytest.raises(ValueError, match="holds another run"):
        gray.rollout(MODEL, x0, out=tmp_path / "run", steps=20, piece=2, policy=other, cluster=False)


def test_a_pickled_model_carries_its_meshes(tmp_path):
    import pickle

    home = tmp_path / "home"
    (home / "parts").mkdir(parents=True)
    tetrahedron = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (home / "parts" / "tip.obj").write_text(tetrahedron)
    text = """
[[static]]
shape = { plane = {} }
[[body]]
name = "tip"
shape = { mesh = { file = "parts/tip.obj" } }
mass = 1.0
position = [0.0, 0.0, 0.2]
"""
    (home / "scene.toml").write_text(text)
    model = gudgeon.Model.load(home / "scene.toml")
    packed = pickle.dumps(model)
    here = gudgeon.rollout(model, steps=300).states
    home.rename(tmp_path / "elsewhere")
    there = pickle.loads(packed)
    assert np.array_equal(gudgeon.rollout(there, steps=300).states, here)
    again = pickle.loads(pickle.dumps(there))
    assert np.array_equal(gudgeon.rollout(again, steps=300).states, here), "and takes them along once more"
    with pytest.raises(gudgeon.ModelError, match="tip.obj"):
        pickle.dumps(model)


@pytest.mark.slow
def test_a_piece_that_kills_its_workers_ends_the_run(tmp_path):
    ray = pytest.importorskip("ray")

    def deadly(t, q, v, touch):
        import os

        os._exit(1)

    ray.init(num_cpus=1, log_to_driver=False)
    try:
        with pytest.raises(RuntimeError, match="lost with their worker 2 times"):
            gray.rollout(MODEL, starts(1), out=tmp_path / "run", steps=2, policy=deadly, retries=1)
    finally:
        ray.shutdown()


@pytest.mark.slow
def test_a_node_killed_half_way_loses_nothing(tmp_path):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    x0 = starts(48)
    options = dict(steps=300, piece=4)
    serial = gray.rollout(MODEL, x0, out=tmp_path / "serial", cluster=False, **options)

    # a lost node is noticed within seconds, not half a minute
    watch = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 6}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": watch})
    doomed = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    places = set()

    @ray.remote(num_cpus=1, scheduling_strategy="SPREAD")
    def place():
        time.sleep(0.5)
        return ray.get_runtime_context().get_node_id()

    try:
        places.update(ray.get([place.remote() for _ in range(4)]))
        killed = []

        def kill_half_way(done, total):
            if done == total // 2:
                cluster.remove_node(doomed, allow_graceful=False)
                killed.append(done)

        spread = gray.rollout(MODEL, x0, out=tmp_path / "spread", progress=kill_half_way, **options)
        # the cluster may take a while to notice; the run did not wait for it
        patience = time.monotonic() + 60
        while (alive := sum(node["Alive"] for node in ray.nodes())) > 1 and time.monotonic() < patience:
            time.sleep(0.5)
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert killed == [6] and alive == 1 and len(places) == 2
    assert len(list(spread.glob("piece-*.parquet"))) == 12 and not list(spread.glob("*.part"))
    table = gray.read(spread)
    assert table["copy"].to_pylist() == list(range(48)), "every copy once"
    assert table.equals(gray.read(serial)), "to the bit"
