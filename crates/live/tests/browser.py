"""A live simulation in headless Chromium: browser.py BROWSER GUDGEON FOLDER.

GUDGEON is the command; stills and recordings are left in FOLDER.
"""

import json
import os
import re
import subprocess
import sys
import time

from page import FOLDER, GUDGEON, Page, Server, pile, quadruped
from speed import how_fast_it_is
from visitors import a_page_that_is_killed_comes_back, pictures_go_on_while_orders_come, strangers_are_refused, two_pages_pass_the_hands

sys.path.append(os.path.join(os.path.dirname(__file__), "../../replay/tests"))
import chromium  # noqa: E402: its folder is known now


def a_brick_is_dragged_out_of_the_wall(browser):
    """Drag, pause, step, scrub back, friction; the force on the page, in the recording and in its replay."""
    record = f"{FOLDER}/wall.gud"
    server = Server("wall", "--record", record)
    with Page(browser, server) as p:
        p.wait("gudgeon.steps() > 5")
        brick = p.body("brick11.0")
        x, y, _ = p.g(f"onScreen({brick})")
        start = p.g(f"position({brick})")
        p.page.mouse.move(x, y)
        p.page.mouse.down()
        p.page.mouse.move(x - 30, y - 40, steps=4)
        p.wait("gudgeon.pull() > 1")
        p.page.mouse.move(x - 160, y - 90, steps=8)
        p.wait(f"gudgeon.pull() > 1 && Math.hypot(...gudgeon.position({brick}).map((a, k) => a - {start}[k])) > 0.25")
        label = p.page.locator(".pull").first.inner_text()
        assert re.fullmatch(r"pull [\d.]+ [mk]?N", label), label
        p.page.screenshot(path=f"{FOLDER}/dragged.png")
        p.page.mouse.up()
        p.wait("gudgeon.pull() === 0")
        assert p.g("picked()") == "brick11.0"

        p.pause()
        stopped = p.g("steps()")
        time.sleep(0.3)
        assert p.g("steps()") == stopped
        p.page.keyboard.press("ArrowRight")
        p.wait(f"gudgeon.steps() === {stopped + 1}")
        p.page.keyboard.press("Shift+ArrowRight")
        p.wait(f"gudgeon.steps() === {stopped + 11}")
        later = p.g("hash()")

        # back to the step where it was paused, and on to the same bits
        box = p.page.locator("#bar input[type=range]").bounding_box()
        p.page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
        p.wait("gudgeon.live().past")
        back = p.js("gudgeon.player.recording.step[gudgeon.frame()]")
        assert back < stopped, (back, stopped)
        p.js("gudgeon.live().present()")
        p.wait(f"gudgeon.steps() === {back}")
        hash_then = p.g("hash()")
        p.js(f"gudgeon.live().send({{ do: 'step', n: 3 }})")
        p.wait(f"gudgeon.steps() === {back + 3}")
        hash_on = p.g("hash()")
        p.js(f"gudgeon.live().send({{ do: 'back', to: {back} }})")
        p.wait(f"gudgeon.steps() === {back}")
        assert p.g("hash()") == hash_then
        p.js(f"gudgeon.live().send({{ do: 'step', n: 3 }})")
        p.wait(f"gudgeon.steps() === {back + 3}")
        assert p.g("hash()") == hash_on != later

        p.setting("friction", 0.31)
        p.wait("Math.abs(gudgeon.live().settings.friction - 0.31) < 1e-9")
        p.page.keyboard.press("Space")
        p.wait(f"gudgeon.playing() && gudgeon.steps() > {back + 8}")
        # the contacts say so, too
        p.wait("(() => { const r = gudgeon.player.recording; return Math.abs(r.touch[r.first[r.n - 1] * 15 + 13] - 0.31) < 1e-6; })()")
        assert p.g("live().errors") == [], p.g("live().errors")
    assert server.stop() == 0
    said = subprocess.run([GUDGEON, "live", "wall", "--replay", record], capture_output=True, text=True)
    assert said.returncode == 0 and "the same to the bit" in said.stdout, said
    print(f"  {said.stdout.strip()}")
    subprocess.run([GUDGEON, "view", record, "-o", f"{FOLDER}/wall.html"], check=True, capture_output=True)
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.goto(f"file://{FOLDER}/wall.html")
    page.wait_for_function("document.documentElement.dataset.ready")
    frame = page.evaluate("gudgeon.player.recording.pulls.findIndex((p) => p && p.length)")
    assert frame >= 0
    page.evaluate(f"gudgeon.seekFrame({frame} + 5)")
    assert page.evaluate("gudgeon.pull()") > 1, "the force is in the recording, and the player shows it"
    # what the solver did is in the recording, too: stages with names, times and residuals
    page.click("#panel summary >> text=solver")
    rows = page.locator("#panel .stages tr")
    assert rows.count() > 1 and page.locator("#panel .stages tr.won").count() >= 1, page.inner_text("#panel .solver")
    assert re.search(r"[\d.]+ [µm]?s", rows.nth(1).inner_text()), rows.nth(1).inner_text()
    options = page.locator("#panel > select option").all_inner_texts()
    assert "time of the solver" in options and "brick11.0: height" not in options, options
    page.evaluate("gudgeon.pick(5)")
    page.select_option("#panel > select", label="time of the solver")
    assert page.locator('figure[data-chart="time of the solver"]').count() == 1
    page.screenshot(path=f"{FOLDER}/replayed.png")
    page.close()


def everything_on_the_panel_works(browser):
    with Server("wall", "--paused") as server, Page(browser, server, (1280, 800)) as p:
        p.page.click("text=add a ball")
        p.wait("gudgeon.player.recording.bodies === 31 && gudgeon.live().settings.bodies.length === 32")
        p.wait("gudgeon.player.bodies.groups[31]?.visible")
        p.page.click("#panel >> text=ball 1")
        assert p.g("picked()") == "ball 1"
        p.page.keyboard.press("y")
        p.wait("gudgeon.live().settings.pinned.includes(31)")
        high = p.g("position(31)")[2]
        p.js("gudgeon.live().send({ do: 'step', n: 10 })")
        p.wait("gudgeon.steps() === 10 && gudgeon.pull() > 0")
        assert abs(p.g("position(31)")[2] - high) < 0.02, "it is fixed in space"
        p.page.keyboard.press("y")
        p.wait("!gudgeon.live().settings.pinned.length")
        p.setting("gravity z", -3.5)
        p.wait("gudgeon.live().settings.gravity[2] === -3.5")
        p.setting("dt", 0.005)
        p.wait("gudgeon.live().settings.dt === 0.005")
        # what is refused is said, and the field says what is
        p.setting("dt", 1e9)
        p.wait("gudgeon.live().errors.length === 1")
        shown = '#live details:first-of-type label[data-name="dt"] input[type=number]'
        p.wait(f"document.querySelector({json.dumps(shown)}).value === '0.005'")
        p.js("gudgeon.live().errors.length = 0")
        mass = p.page.locator('#live label[data-name="mass"] input[type=number]')
        mass.fill("7")
        mass.press("Enter")
        p.wait("gudgeon.live().settings.bodies[31].mass === 7")
        p.page.click("text=keep this pose")
        p.wait("gudgeon.live().settings.keyframes.length === 1")
        p.js("gudgeon.live().send({ do: 'step', n: 5 })")
        p.wait("gudgeon.steps() === 15")
        p.page.click("#live >> text=pose 1")
        p.wait("gudgeon.live().arrived > 3")
        # a contact, pressed, says what it does
        p.js("gudgeon.player.pickContact(0)")
        card = p.page.inner_text(".card.contact")
        for word in ["mode", "gap", "force", "cone", "slip"]:
            assert word in card, card
        for _ in range(2):
            p.page.select_option("#live > select", label="contact: force")
        assert p.page.locator('figure[data-chart^="force of world, brick"]').count() == 1, "one chart, and it says whose"
        assert p.page.get_attribute("#panel input[type=search]", "placeholder") == "find among 31"
        p.page.select_option("#live > select", label="ball 1: height")
        stages = p.page.inner_text("#live .solver")
        assert "residual" in stages and re.search(r"modes|few rows|newton|sweep|interior point", stages), stages
        assert p.page.locator('figure[data-chart="ball 1: height"]').count() == 1
        p.page.screenshot(path=f"{FOLDER}/panel.png")
        with p.page.expect_download() as download:
            p.page.click("text=png")
        download.value.save_as(f"{FOLDER}/still.png")
        assert os.path.getsize(f"{FOLDER}/still.png") > 10_000
        p.page.click("#live >> text=record")
        p.wait("gudgeon.live().pulse?.frames > 0")
        for ending in ["gud", "html", "mcap", "toml"]:
            with p.page.expect_download() as download:
                p.page.click(f"#live .saves >> text={ending}")
            download.value.save_as(f"{FOLDER}/saved.{ending}")
        subprocess.run([GUDGEON, "view", f"{FOLDER}/saved.gud", "-o", f"{FOLDER}/saved-again.html"], check=True, capture_output=True)
        checked = subprocess.run([GUDGEON, "check", f"{FOLDER}/saved.toml"], capture_output=True, text=True)
        assert checked.returncode == 0, checked
        p.page.click("#live >> text=start again")
        p.wait("gudgeon.steps() === 0 && gudgeon.player.recording.bodies === 31")
        assert p.g("live().errors") == [], p.g("live().errors")


def a_robot_from_mjcf_is_driven_and_pushed(browser):
    with Server(quadruped(), "--speed", "1") as server, Page(browser, server) as p:
        p.wait("gudgeon.steps() > 20")
        settings = p.js("gudgeon.live().settings")
        assert len(settings["joints"]) == 8 and len(settings["controls"]) == 4, settings
        p.page.click("#live summary >> text=controls")
        p.js("gudgeon.live().send({ do: 'control', index: 0, values: [8] })")
        p.wait("gudgeon.live().settings.controls[0].values[0] === 8")
        # sensors by name in charts
        names = p.page.locator("#live > select option").all_inner_texts()
        assert {"turning.x", "turning.z", "flk", "felt", "flknee: coordinate"} <= set(names), names
        p.page.select_option("#live > select", label="flk")
        assert p.page.locator('figure[data-chart="flk"]').count() == 1
        at = "gudgeon.player.recording.channels.find((c) => c.name === '%s').at(gudgeon.player.recording.n - 1)"
        p.wait(f"Math.abs({at % 'flk'} - {at % 'flknee: coordinate'}) < 1e-6 && {at % 'turning.y'} !== 0")
        x, y, _ = p.g("onScreen(1)")
        p.page.keyboard.down("Shift")
        p.page.mouse.click(x, y)
        p.page.keyboard.up("Shift")
        p.wait("gudgeon.player.pulls.force > 0 || gudgeon.player.recording.pulls.some((q) => q?.length)")
        p.page.screenshot(path=f"{FOLDER}/quadruped.png")
        # the file's keyframe by name, its controls included
        p.page.click("#live .keys >> text=high")
        p.wait("gudgeon.position(1)[2] > 0.6")
        p.wait("JSON.stringify(gudgeon.live().settings.controls.map((c) => c.values[0])) === '[1,2,3,4]'")


def every_control_is_heard(browser):
    """Speeds, joints, actuators, gravity, friction of one body, a box: by the panel's own fields, sliders and keys."""
    with Server(quadruped()) as server, Page(browser, server, (1280, 800)) as p:
        for speed, shown in [("0.05", 0.05), ("0", 0)]:
            p.page.select_option("#bar select", speed)
            p.wait(f"gudgeon.live().pulse.speed === {shown}")
        p.page.keyboard.press("<")
        p.wait("gudgeon.live().pulse.speed === 4")
        p.page.select_option("#bar select", "1")
        p.wait("gudgeon.live().pulse.speed === 1")
        p.pause()
        row = lambda name: p.page.locator(f'#live label[data-name="{name}"]')
        p.page.click("#live summary >> text=controls")
        row("frm").locator("input[type=number]").fill("7.5")
        row("frm").locator("input[type=number]").press("Enter")
        p.wait("gudgeon.live().settings.controls[1].values[0] === 7.5")
        # a slider, by the mouse: its right end is the actuator's own limit
        slider = row("rrm").locator("input[type=range]")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        p.page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
        p.wait("gudgeon.live().settings.controls[3].values[0] > 19")
        p.page.click("#live summary >> text=joints")
        row("rlknee").locator("input[type=number]").fill("-0.75")
        row("rlknee").locator("input[type=number]").press("Enter")
        joint = p.js("gudgeon.live().settings.joints.findIndex((j) => j.name === 'rlknee')")
        p.wait(f"Math.abs(gudgeon.player.recording.joint(gudgeon.player.recording.n - 1, {joint}, 0) + 0.75) < 1e-6")
        assert row("rlknee").locator("span").get_attribute("title") == "rlknee, rad"
        row("rlknee force").locator("input[type=number]").fill("3")
        row("rlknee force").locator("input[type=number]").press("Enter")
        p.wait(f"gudgeon.live().settings.joints[{joint}].force === 3")
        p.setting("gravity x", 2.5)
        p.wait("JSON.stringify(gudgeon.live().settings.gravity) === '[2.5,0,-9.81]'")
        p.page.click("#panel >> text=trunk")
        rub = p.page.locator('#live details:nth-of-type(2) label[data-name="friction"] input[type=number]')
        rub.fill("1.25")
        rub.press("Enter")
        p.wait("gudgeon.live().settings.bodies[1].friction === 1.25 && gudgeon.live().settings.bodies[2].friction !== 1.25")
        p.page.click("text=add a box")
        p.wait("gudgeon.live().settings.bodies.length === 11 && gudgeon.player.bodies.groups[10]?.visible")
        p.page.keyboard.press("ArrowRight")
        p.wait("gudgeon.steps() > 0 && gudgeon.live().errors.length === 0")
        p.page.screenshot(path=f"{FOLDER}/controls.png")
        with p.page.expect_download() as download:
            p.page.click("#live .saves >> text=toml")
        download.value.save_as(f"{FOLDER}/changed.toml")
        with open(f"{FOLDER}/changed.toml") as text:
            assert "2.5" in text.read()
        checked = subprocess.run([GUDGEON, "check", f"{FOLDER}/changed.toml"], capture_output=True, text=True)
        assert checked.returncode == 0, checked


def a_pile_grows_and_is_seen(browser):
    """Two hundred bodies and their marks outgrow the room for corners and for indices at different times; a body more is in the picture."""
    with Server(pile(), "--paused") as server, Page(browser, server, (1280, 800)) as p:
        p.js("gudgeon.live().send({ do: 'step', n: 20 })")
        p.wait("gudgeon.steps() === 20 && gudgeon.contacts() > 100")
        p.page.locator("text=add a ball").dispatch_event("click")
        p.wait("gudgeon.player.bodies.groups[201]?.visible")
        p.wait("!gudgeon.player.dirty")
        x, y, _ = p.g("onScreen(201)")
        box = p.page.locator("canvas").first.bounding_box()
        assert box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"], (x, y, box)
        p.page.screenshot(path=f"{FOLDER}/pile.png")


def what_is_seen_can_be_chosen(browser):
    """Follow, see through, cones, arrows, grid and shadow, views, and the hand's distance by the wheel."""
    with Server("wall", "--paused") as server, Page(browser, server) as p:
        p.js("gudgeon.live().send({ do: 'step', n: 5 })")
        p.wait("gudgeon.steps() === 5 && gudgeon.contacts() > 50")
        for key, seen in [("k", "gudgeon.cones() > 50"), ("x", "gudgeon.player.bodies.xray"), ("a", "gudgeon.arrows() === 0"),
                          ("g", "!gudgeon.player.ground.group.visible"), ("f", "gudgeon.player.following")]:
            assert not p.js(seen), key
            p.page.keyboard.press(key)
            p.wait(seen)
            p.wait("!gudgeon.player.dirty")
            p.page.screenshot(path=f"{FOLDER}/seen-{key}.png")
            p.page.keyboard.press(key)
            p.wait(f"!({seen})")
        looks = []
        for key in "1234":
            p.page.keyboard.press(key)
            looks.append(p.js("gudgeon.player.camera.lens.position.toArray().map((x) => x.toFixed(3)).join()"))
        assert len(set(looks)) == 4, looks
        # the wheel moves a hand that holds something along the view
        p.page.keyboard.press("1")
        p.page.keyboard.press("Space")
        x, y, _ = p.g(f"onScreen({p.body('brick11.2')})")
        p.page.mouse.move(x, y)
        p.page.mouse.down()
        p.page.mouse.move(x + 20, y - 20, steps=4)
        p.wait("gudgeon.pull() > 0")
        before = p.js("gudgeon.live().hand.held.target")
        p.page.mouse.wheel(0, 240)
        p.wait(f"Math.hypot(...gudgeon.live().hand.held.target.map((a, k) => a - {before}[k])) > 1e-3")
        p.page.mouse.up()
        p.wait("gudgeon.pull() === 0")
        assert p.g("live().errors") == [], p.g("live().errors")


BOTH = """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/>
<geom type="box" size="0.2 0.2 0.2" rgba="1 0 0 1"/>
<geom type="box" size="0.2 0.2 0.2" rgba="0 1 0 1" contype="0" conaffinity="0" group="2"/></body></worldbody></mujoco>"""


def shapes_in_one_place_do_not_fight(browser):
    """A red box that touches and a green one for the eye: one of them at a time, to the pixel."""
    with open(f"{FOLDER}/both.xml", "w") as out:
        out.write(BOTH)
    count = """(() => {
      const { stage, camera } = gudgeon.player, gl = stage.renderer.getContext();
      stage.render(camera.lens);
      const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight], pixels = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let [red, green] = [0, 0];
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i] - pixels[i + 1] > 60) red++;
        if (pixels[i + 1] - pixels[i] > 60) green++;
      }
      return [red, green];
    })()"""
    with Server(f"{FOLDER}/both.xml", "--paused") as server, Page(browser, server) as p:
        red, green = p.js(count)
        assert red == 0 and green > 2000, (red, green)
        p.page.keyboard.press("v")
        red, green = p.js(count)
        assert green == 0 and red > 2000, (red, green)


def a_contact_under_the_mouse_tells_its_numbers(browser):
    with Server("wall", "--paused") as server, Page(browser, server) as p:
        p.js("gudgeon.live().send({ do: 'step', n: 5 })")
        p.wait("gudgeon.steps() === 5 && gudgeon.contacts() > 50")
        # one that nothing hides: the first whose point is the first thing under the mouse
        place = p.js("""(() => {
          const { player } = gudgeon, n = gudgeon.contacts();
          for (let i = 0; i < n; i++) {
            const c = player.contacts.one(player.frame, i), [x, y] = player.interface.onScreen(c.point);
            if (player.contacts.under(player.interface.ray({ clientX: x, clientY: y })) === i && document.elementFromPoint(x, y) === player.stage.canvas) return [x, y, i];
          }
        })()""")
        assert place, "a contact can be seen"
        p.page.mouse.click(place[0], place[1])
        assert p.page.is_visible(".card.contact")
        card = p.page.inner_text(".card.contact")
        for word in ["between", "mode", "gap", "force", "cone", "slip"]:
            assert word in card, card
        assert "stick" in card and re.search(r"[\d.]+ [mk]?N along", card), card


TESTS = [a_brick_is_dragged_out_of_the_wall, everything_on_the_panel_works, a_robot_from_mjcf_is_driven_and_pushed,
         every_control_is_heard, a_pile_grows_and_is_seen, what_is_seen_can_be_chosen, two_pages_pass_the_hands, shapes_in_one_place_do_not_fight, a_contact_under_the_mouse_tells_its_numbers,
         a_page_that_is_killed_comes_back, strangers_are_refused, pictures_go_on_while_orders_come, how_fast_it_is]

if __name__ == "__main__":
    failed = chromium.run(sys.argv[1], [t for t in TESTS if not sys.argv[4:] or t.__name__ in sys.argv[4:]])
    print(f"live: {failed} failed")
    sys.exit(1 if failed else 0)
