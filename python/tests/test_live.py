"""A page beside a script: it looks, it pulls, and it changes nothing else."""

import base64
import contextlib
import json
import os
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import gudgeon
import pytest


class Socket:
    """As much of a WebSocket as a test needs: masked text frames out."""

    def __init__(self, address: str) -> None:
        base, token = address.split("/?token=")
        host, port = base.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (f"GET /ws?token={token} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n")
        self.socket.sendall(head.encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1)
        assert answer.startswith(b"HTTP/1.1 101"), answer

    def send(self, order: dict[str, object]) -> None:
        data = json.dumps(order).encode()
        mask = os.urandom(4)
        head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big")
        self.socket.sendall(head + mask + bytes(b ^ mask[k % 4] for k, b in enumerate(data)))


def stack() -> gudgeon.Simulation:
    return gudgeon.Simulation(gudgeon.Model.builtin("stack", boxes=3, ratio=1))


def test_an_idle_page_changes_no_bit() -> None:
    alone = stack()
    alone.step(50)
    sim = stack()
    with sim.live(open=False) as page:
        assert urllib.request.urlopen(page.address).read(15) == b"<!doctype html>"
        looking = Socket(page.address)
        sim.step(50)
        while page.pages == 0:
            page.sync()
        looking.socket.close()
    assert sim.state_hash == alone.state_hash


def test_a_pull_of_the_page_is_a_force_of_the_step(tmp_path: Path) -> None:
    sim = stack()
    before = sim.position(3)
    with sim.live(open=False, record=True) as page:
        hand = Socket(page.address)
        x, y, z = before
        hand.send({"do": "grab", "body": 3, "point": [0, 0, 0], "target": [x, y, z + 1.0]})
        began = time.monotonic()
        # orders arrive when they arrive: the script goes on stepping
        while sim.position(3)[2] < z + 0.3:
            sim.step(5)
            assert time.monotonic() - began < 60
        hand.send({"do": "pause"})
        saved = page.save(tmp_path / "run.gud").read_bytes()
    at = saved.rindex(b"pull") + 8  # the last frame that has one: kind, body, point, target, force
    kind, body = struct.unpack_from("<II", saved, at)
    force = struct.unpack_from("<9d", saved, at + 8)[6:]
    assert (kind, body) == (0, 3) and force[2] > 1, (kind, body, force)
    steps = sim.steps
    sim.step()
    assert sim.steps == steps + 1


def test_strangers_are_refused() -> None:
    sim = stack()
    with sim.live(open=False) as page:
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(page.address.split("?")[0])
        frame = page._repr_html_()
        assert page.address in frame and frame.startswith("<iframe")
        policy = urllib.request.urlopen(page.address).headers["Content-Security-Policy"]
        assert "frame-ancestors http://localhost:*" in policy


def test_a_controller_runs_under_the_pages_clock() -> None:
    calls: list[float] = []

    def pause_and_step(page: gudgeon.Page) -> None:
        def hands() -> None:
            # the run may be over before it is told to pause
            with contextlib.suppress(OSError, AssertionError):
                hand = Socket(page.address)
                hand.send({"do": "pause"})
                time.sleep(0.3)
                hand.send({"do": "run"})
                time.sleep(5)

        threading.Thread(target=hands, daemon=True).start()

    model = gudgeon.Model.builtin("stack", boxes=2)
    sim = gudgeon.live(model, lambda s: calls.append(s.time), speed=0, duration=0.3, open_browser=False, on_page=pause_and_step)
    assert len(calls) == sim.steps and sim.time >= 0.3
    alone = gudgeon.Simulation(model)
    alone.step(sim.steps)
    assert sim.state_hash == alone.state_hash


def test_render_shows_the_shapes_for_the_eye(tmp_path: Path) -> None:
    both = """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/>
    <geom type="box" size="0.2 0.2 0.2" rgba="1 0 0 1"/><geom type="box" size="0.2 0.2 0.2" rgba="0 1 0 1" contype="0" conaffinity="0" group="2"/>
    </body></worldbody></mujoco>"""
    (tmp_path / "both.xml").write_text(both)
    picture = gudgeon.Simulation(gudgeon.Model.load(tmp_path / "both.xml")).render(120, 90)
    red, green = picture[..., 0].astype(int), picture[..., 1].astype(int)
    assert ((green - red) > 60).sum() > 500, "the visual box is seen"
    assert ((red - green) > 60).sum() == 0, "and nothing of the one that touches"
