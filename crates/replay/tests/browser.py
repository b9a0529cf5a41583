"""The player in headless Chromium: browser.py BROWSER FOLDER.

FOLDER has the pages of tests/synthetic.rs, and FOLDER/scenes those of built-in scenes; their stills and a sheet of
all of them, sheet.png, are left there.
"""

import glob
import math
import os
import re
import sys
import time

import chromium
from page import FOLDER, Page
from speed import frames_per_second

SCENES = ["sliding-box", "chain", "bricks", "shapes", "humanoid", "lost"]


def close(a, b, tolerance):
    assert abs(a - b) <= tolerance, (a, b, tolerance)


def every_page_loads_without_a_complaint(browser):
    for scene in SCENES:
        with Page(browser, scene, "#f=50") as p:
            assert p.js("document.documentElement.dataset.ready") == "yes"
            assert p.g("frame()") == 50
            p.drawn()
            p.page.screenshot(path=f"{FOLDER}/{scene}.png")
            assert os.path.getsize(f"{FOLDER}/{scene}.png") > 20_000, "an empty picture"


def it_plays_and_pauses(browser):
    with Page(browser, "humanoid") as p:
        assert p.g("frame()") == 0 and not p.g("playing()"), "it waits to be started"
        p.key("Space")
        p.wait("gudgeon.frame() > 20")
        p.key("Space")
        stopped = p.g("time()")
        time.sleep(0.2)
        assert p.g("time()") == stopped


def the_button_in_the_middle_starts_it(browser):
    with Page(browser, "chain") as p:
        p.page.click("#poster")
        p.wait("gudgeon.frame() > 3")
        assert p.page.is_hidden("#poster")


def it_autoplays_when_asked(browser):
    with Page(browser, "chain", "#play") as p:
        p.wait("gudgeon.frame() > 3")


def it_starts_again_at_the_end_or_stops(browser):
    with Page(browser, "sliding-box") as p:
        p.js("gudgeon.seek(1.95); gudgeon.play()")
        p.wait("gudgeon.time() < 1.9")
        p.key("l")
        p.js("gudgeon.seek(1.95)")
        p.wait("!gudgeon.playing()")
        close(p.g("time()"), 2.0, 1e-6)


def the_slider_and_the_charts_seek(browser):
    with Page(browser, "sliding-box") as p:
        box = p.page.locator("#bar input[type=range]").bounding_box()
        p.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
        close(p.g("time()"), 1.5, 0.05)
        for name in ["contacts", "pivots", "residual", "energy", "penetration"]:
            box = p.page.locator(f'figure[data-chart="{name}"] .plot').bounding_box()
            p.js("gudgeon.seek(0)")
            p.page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2)
            close(p.g("time()"), 0.5, 0.02)
            cursor = p.page.locator(f'figure[data-chart="{name}"] .plot i').bounding_box()
            close(cursor["x"], box["x"] + 0.25 * box["width"], 3)


def keys_step_and_jump(browser):
    with Page(browser, "sliding-box") as p:
        for key, frame in [("ArrowRight", 1), ("ArrowRight", 2), ("Shift+ArrowRight", 12), ("ArrowLeft", 11)]:
            p.key(key)
            assert p.g("frame()") == frame, (key, p.g("frame()"))
        p.key("End")
        assert p.g("frame()") == p.g("frames()") - 1
        p.key("Home")
        assert p.g("frame()") == 0
        p.key(">")
        assert p.js("gudgeon.player.speed") == 2


def bodies_are_where_the_recording_says(browser):
    with Page(browser, "sliding-box", "#t=1.5") as p:
        fall = math.sqrt(0.6 / 9.81)
        x, y, z = p.g("position(1)")
        close(x, 2 * fall + 4 / (2 * 0.4 * 9.81), 2e-6)
        close(y, 0, 2e-6)
        close(z, 0.1, 2e-6)
        p.js("gudgeon.seek(0.1)")  # between two frames, too
        close(p.g("position(1)")[0], 0.2, 1e-5)


def a_press_on_a_body_picks_it(browser):
    with Page(browser, "sliding-box", "#t=1.5") as p:
        p.drawn()
        x, y, _ = p.g("onScreen(1)")
        p.page.mouse.click(x, y)
        assert p.g("picked()") == "crate"
        assert p.page.inner_text("#tag") == "crate"
        card = p.page.inner_text("#panel .card")
        assert "9.81 N" in card and "4 stick" in card, card
        close(p.g("sum()")[2], 9.81, 0.01)
        p.page.mouse.click(30, 300)
        assert p.g("picked()") is None, "the ground is no body"


def the_list_picks_and_finds(browser):
    with Page(browser, "bricks", "#t=0.5") as p:
        p.page.click("text=brick 17")
        assert p.g("picked()") == "brick 17"
        p.page.fill("#panel input", "2")
        shown = [t.strip() for t in p.page.locator("#panel li:visible").all_inner_texts()]
        assert shown and all("2" in t for t in shown) and "brick 17" not in shown, shown
        p.page.locator("#panel input").blur()
        p.key("n")
        assert p.g("picked()") == "brick 18"
        p.key("Escape")
        assert p.g("picked()") is None


def arrows_and_cones_appear(browser):
    with Page(browser, "sliding-box") as p:
        assert p.g("contacts()") == 0 and p.g("arrows()") == 0
        p.js("gudgeon.seek(0.5)")
        assert p.g("contacts()") == 4 and p.g("arrows()") == 4
        before = p.page.locator("#view").screenshot()
        p.key("a")
        assert p.g("arrows()") == 0
        p.drawn()
        assert p.page.locator("#view").screenshot() != before, "arrows cannot be seen"
        p.key("k")
        assert p.g("cones()") == 4
    with Page(browser, "bricks", "#t=0.5") as p:
        assert p.g("arrows()") == 120


def it_follows(browser):
    with Page(browser, "sliding-box", "#t=0&pick=crate&follow") as p:
        start = p.js("gudgeon.player.camera.controls.target.toArray()")
        p.js("gudgeon.seek(1.5)")
        end = p.js("gudgeon.player.camera.controls.target.toArray()")
        close(end[0] - start[0], p.g("position(1)")[0], 1e-3)


def it_is_light_or_dark(browser):
    theme = "document.documentElement.dataset.theme"
    with Page(browser, "chain", "#t=1", color_scheme="dark") as p:
        assert p.js(theme) == "dark"
        p.key("t")
        assert p.js(theme) == "light"
    with Page(browser, "chain", "#t=1", color_scheme="light") as p:
        assert p.js(theme) == "light"
    with Page(browser, "chain", "#t=1&theme=dark") as p:
        assert p.js(theme) == "dark"


def help_opens_and_closes(browser):
    with Page(browser, "chain") as p:
        p.key("?")
        assert p.page.is_visible("#help") and "friction cones" in p.page.inner_text("#help")
        p.key("Escape")
        assert p.page.is_hidden("#help")


def names_are_text(browser):
    with Page(browser, "shapes", "#t=1&pick=7") as p:
        assert p.g("picked()") == 'red </script><b>&"'
        assert p.page.inner_text("#panel .card h2") == 'red </script><b>&"'


def a_narrow_window_keeps_its_picture(browser):
    with Page(browser, "humanoid", "#t=2", size=(420, 800)) as p:
        box = p.page.locator("#view").bounding_box()
        assert box["height"] > 250 and box["width"] == 420, box
        assert p.js("document.documentElement.scrollWidth") <= 420
        p.page.screenshot(path=f"{FOLDER}/narrow.png")


def every_key_of_the_list_works(browser):
    with Page(browser, "shapes", "#t=1") as p:
        for key in "lfnpackxvg1234rbhut?":
            p.key(key)
            if key == "?":
                p.key("Escape")
        for key in ["[", "]", "<", ">", "Home", "End"]:
            p.key(key)


def a_clean_page_is_clean_and_words_show(browser):
    furniture = ["#heading", "#panel", "#legend", "#deck"]
    with Page(browser, "bricks") as p:
        p.key("Escape")
        for part in furniture:
            assert p.page.is_visible(part), part
        # words come and go
        assert float(p.js("getComputedStyle(document.getElementById('toast')).opacity")) == 0
        p.key(">")
        p.wait("Number(getComputedStyle(document.getElementById('toast')).opacity) > 0.8")
        assert p.page.inner_text("#toast") == "2×"
        p.wait("Number(getComputedStyle(document.getElementById('toast')).opacity) === 0")
        p.key("u")
        for part in [*furniture, "#poster", "#toast"]:
            assert p.page.is_hidden(part), f"{part} stays on a clean page"
        p.key(">")
        assert p.page.is_hidden("#toast"), "not even words"
        view = p.page.locator("#view").bounding_box()
        assert (view["width"], view["height"]) == (900, 600), view
        p.key("u")
        for part in furniture:
            assert p.page.is_visible(part), part
    with Page(browser, "bricks", "#f=10&clean") as p:
        for part in [*furniture, "#poster", "#toast"]:
            assert p.page.is_hidden(part), f"{part} stays on a clean page"


def the_solver_tells_its_stages_and_charts_follow_joints(browser):
    with Page(browser, "scenes/squat", "#f=60") as p:
        p.page.click("#panel summary >> text=solver")
        said = p.page.inner_text("#panel .solver")
        assert re.search("solved · residual", said) and re.search("modes|few rows|newton|sweep", said), said
        names = p.page.locator("#panel > select option").all_inner_texts()
        # the joint that moves most
        joint = p.js("""(() => {
          const { channels, n } = gudgeon.player.recording;
          const range = ({ at }) => { let [lo, hi] = [Infinity, -Infinity]; for (let k = 0; k < n; k++) { lo = Math.min(lo, at(k)); hi = Math.max(hi, at(k)); } return hi - lo; };
          return channels.filter((c) => c.name.endsWith(": coordinate")).sort((a, b) => range(b) - range(a))[0].name;
        })()""")
        assert joint in names, (joint, names)
        p.page.select_option("#panel > select", label=joint)
        figure = p.page.locator(f'figure[data-chart="{joint}"]')
        assert figure.count() == 1
        values = p.js(f"(() => {{ const c = gudgeon.player.recording.channels.find((c) => c.name === {joint!r}); return [0, 30, 60, 300].map((k) => c.at(k)); }})()")
        assert len(set(values)) > 1 and all(abs(v) < 4 for v in values), values
        before = figure.locator("output").inner_text()
        # where it is farthest from here
        p.js(f"(() => {{ const {{ channels, n }} = gudgeon.player.recording, c = channels.find((c) => c.name === {joint!r}); let far = 60; "
             "for (let k = 0; k < n; k++) if (Math.abs(c.at(k) - c.at(60)) > Math.abs(c.at(far) - c.at(60))) far = k; gudgeon.seekFrame(far); })()")
        assert figure.locator("output").inner_text() != before
        figure.locator("button").click()
        assert figure.count() == 0


def gravity_decides_what_is_up(browser):
    with open(f"{FOLDER}/bricks.html", encoding="utf-8") as file:
        text = file.read()
    for gravity, up in [([0, -9.81, 0], [0, 1, 0]), ([5, 0, 0], [-1, 0, 0]), ([0, 0, 0], [0, 0, 1])]:
        changed = re.sub(r'"gravity":(null|\[[^]]*\])', f'"gravity":{gravity}', text, count=1)
        with open(f"{FOLDER}/tilted.html", "w", encoding="utf-8") as file:
            file.write(changed)
        with Page(browser, "tilted", "#f=10") as p:
            for a, b in zip(p.js("gudgeon.player.camera.lens.up.toArray()"), up, strict=True):
                close(a, b, 1e-12)
            # what is higher by up is higher on the screen
            low, high = p.js(f"[0, 1].map((h) => gudgeon.player.interface.onScreen(gudgeon.player.extent.centre.clone().addScaledVector(gudgeon.player.up.axis, 0.3 * h))[1])")
            assert high < low, (gravity, low, high)


def every_scene_is_shown(browser):
    """A still of every page of a built-in scene at its end, and all of them on one sheet."""
    names = sorted(os.path.basename(f)[:-5] for f in glob.glob(f"{FOLDER}/scenes/*.html"))
    for name in names:
        with Page(browser, f"scenes/{name}", "#f=1000000&clean", size=(480, 320)) as p:
            assert p.js("document.documentElement.dataset.ready") == "yes", name
            assert p.g("frames()") > 1, name
            p.drawn()
            p.page.screenshot(path=f"{FOLDER}/scenes/{name}.png")
            assert os.path.getsize(f"{FOLDER}/scenes/{name}.png") > 8_000, f"{name}: an empty picture"
    cells = "".join(f"<figure><img src='{n}.png'><figcaption>{n}</figcaption></figure>" for n in names)
    style = "body{display:grid;grid-template-columns:repeat(4,1fr);gap:6px;font:14px sans-serif}figure{margin:0}img{width:100%}"
    with open(f"{FOLDER}/scenes/sheet.html", "w") as sheet:
        sheet.write(f"<!doctype html><style>{style}</style>{cells}")
    page = browser.new_page(viewport={"width": 1400, "height": 300})
    page.goto(f"file://{FOLDER}/scenes/sheet.html")
    page.screenshot(path=f"{FOLDER}/scenes/sheet.png", full_page=True)
    page.close()
    os.remove(f"{FOLDER}/scenes/sheet.html")
    print(f"  {len(names)} scenes on {FOLDER}/scenes/sheet.png")


TESTS = [every_page_loads_without_a_complaint, it_plays_and_pauses, the_button_in_the_middle_starts_it,
         it_autoplays_when_asked, it_starts_again_at_the_end_or_stops, the_slider_and_the_charts_seek,
         keys_step_and_jump, bodies_are_where_the_recording_says, a_press_on_a_body_picks_it,
         the_list_picks_and_finds, arrows_and_cones_appear, it_follows, it_is_light_or_dark, help_opens_and_closes,
         names_are_text, a_narrow_window_keeps_its_picture, every_key_of_the_list_works, every_scene_is_shown, a_clean_page_is_clean_and_words_show,
         the_solver_tells_its_stages_and_charts_follow_joints, gravity_decides_what_is_up,
         frames_per_second]

if __name__ == "__main__":
    failed = chromium.run(sys.argv[1], [t for t in TESTS if not sys.argv[3:] or t.__name__ in sys.argv[3:]])
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
