"""Models to run live, the server that runs them, and a page of it."""

import json
import os
import re
import signal
import subprocess
import sys
import time

GUDGEON, FOLDER = sys.argv[2], os.path.abspath(sys.argv[3])
PATIENCE = 60  # s; the machine may be busy

# on its side so that a hand takes it without a fight
QUADRUPED = """<mujoco model="quadruped"><option timestep="0.002"/><worldbody>
<geom type="plane" size="5 5 0.1"/>
<body name="trunk" pos="0 0 0.42"><freejoint/><geom type="box" size="0.25 0.1 0.06" mass="8"/>
<site name="imu"/>%s</body></worldbody><actuator>%s</actuator>
<sensor><gyro name="turning" site="imu"/><jointpos name="flk" joint="flknee"/><touch name="felt" site="imu"/></sensor>
<keyframe><key name="high" qpos="0 0 0.9 1 0 0 0 0 0 0 0 0 0 0 0" ctrl="1 2 3 4"/></keyframe></mujoco>"""
LEG = """<body name="{n}hip" pos="{x} {y} 0"><joint name="{n}hip" axis="0 1 0" range="-60 60" damping="1" stiffness="60"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.18" size="0.025" mass="0.7"/>
<body name="{n}shin" pos="0 0 -0.18"><joint name="{n}knee" axis="0 1 0" range="-120 120" damping="1" stiffness="60"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.18" size="0.02" mass="0.3"/></body></body>"""


def quadruped():
    legs = [("fl", 0.2, 0.13), ("fr", 0.2, -0.13), ("rl", -0.2, 0.13), ("rr", -0.2, -0.13)]
    drives = "".join(f'<motor name="{n}m" joint="{n}hip" ctrlrange="-20 20"/>' for n, _, _ in legs)
    path = f"{FOLDER}/quadruped.xml"
    with open(path, "w") as out:
        out.write(QUADRUPED % ("".join(LEG.format(n=n, x=x, y=y) for n, x, y in legs), drives))
    return path


def pile():
    """Two hundred boxes and balls in a heap."""
    path = f"{FOLDER}/pile.toml"
    with open(path, "w") as out:
        out.write('dt = 0.005\nduration = 10.0\n[[static]]\nshape = { plane = {} }\n')
        for k in range(200):
            x, y, z = 0.25 * (k % 6) - 0.6 + 0.003 * (k % 7), 0.25 * (k // 6 % 6) - 0.6, 0.1 + 0.25 * (k // 36)
            shape = "sphere = 0.1" if k % 3 == 0 else "box = [0.1, 0.08, 0.06]"
            out.write(f"[[body]]\nshape = {{ {shape} }}\nposition = [{x}, {y}, {z}]\n")
    return path


def wait(page, condition):
    """Asks again and again from outside: the page's policy forbids to evaluate text inside of it."""
    end = time.time() + PATIENCE
    while not page.evaluate(f"Boolean({condition})"):
        assert time.time() < end, f"it did not happen: {condition}"
        time.sleep(0.02)


class Server:
    """The command, and the address it printed."""

    def __init__(self, *args):
        self.began = time.time()
        self.process = subprocess.Popen([GUDGEON, "live", *args, "--no-open"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}", self.address), self.address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


class Page:
    """A page of it, and what it complained of."""

    def __init__(self, browser, server, size=(1000, 700)):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, accept_downloads=True)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.goto(server.address)
        self.wait("document.documentElement.dataset.ready && gudgeon.pictures() > 0")
        self.wait("gudgeon.live().arrived > 1 && gudgeon.live().settings")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            assert not self.complaints, self.complaints
        self.context.close()

    def js(self, expression):
        return self.page.evaluate(expression)

    def g(self, call):
        return self.js(f"gudgeon.{call}")

    def wait(self, condition):
        wait(self.page, condition)

    def body(self, name):
        return self.js(f"gudgeon.player.recording.meta.bodies.findIndex((b) => b.name === {json.dumps(name)})")

    def pause(self):
        self.page.keyboard.press("Space")
        self.wait("!gudgeon.playing()")

    def setting(self, name, value):
        field = self.page.locator(f'#live details:first-of-type label[data-name="{name}"] input[type=number]')
        field.fill(str(value))
        field.press("Enter")
        field.blur()
