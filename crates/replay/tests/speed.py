"""How fast pages of recordings are drawn."""

import glob
import os
import re
import time

from page import FOLDER, Page


def frames_per_second(browser):
    """Measured, not judged: the machine may be busy and has no graphics card. The script's own time is what is ours."""
    pages = ["humanoid"] + (["scenes/squat"] if os.path.exists(f"{FOLDER}/scenes/squat.html") else [])
    for page in pages:
        size = os.path.getsize(f"{FOLDER}/{page}.html") / 1e6
        assert size < 5, f"{page}.html has {size} MB"
        measure_speed(browser, page, size)


def processor_seconds():
    """Of the main threads of our browser's pages, and of its drawing process with all its threads (Linux; else zeros)."""
    parents, kinds = {}, {}
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            fields = open(f"{folder}/stat").read().rpartition(")")[2].split()
            kind = re.search(r"--type=([a-z-]+)", open(f"{folder}/cmdline").read().replace("\0", " "))
            pid = int(os.path.basename(folder))
            parents[pid], kinds[pid] = int(fields[1]), (kind[1] if kind else "", fields)
        except OSError:  # it ended meanwhile
            pass

    def ours(pid):
        while pid > 1 and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    script = drawing = 0.0
    for pid, (kind, fields) in kinds.items():
        if kind == "renderer" and ours(pid):
            own = open(f"/proc/{pid}/task/{pid}/stat").read().rpartition(")")[2].split()
            script += int(own[11]) + int(own[12])
        elif kind == "gpu-process" and ours(pid):
            drawing += int(fields[11]) + int(fields[12])
    return script / os.sysconf("SC_CLK_TCK"), drawing / os.sysconf("SC_CLK_TCK")


def measure_speed(browser, page, megabytes):
    with Page(browser, page, "#play", size=(1280, 800)) as p:
        time.sleep(3)
        p.g("measure()")
        began, before = p.g("pictures()"), processor_seconds()
        time.sleep(6)
        pictures = max(p.g("pictures()") - began, 1)
        script, drawing = (1e3 * (b - a) / pictures for a, b in zip(before, processor_seconds()))
        cpus, load = os.cpu_count(), os.getloadavg()[0]
        rung = p.js("gudgeon.player.stage.rung")
        print(f"  {page}, {megabytes:.2f} MB, at 1280x800: {p.g('fps()'):.0f} frames/s at rung {rung}, "
              f"{script:.1f} ms of processor time per frame in the page's thread and {drawing:.1f} in the software that draws "
              f"(60 frames/s leave 16.7), {p.g('cost()'):.1f} ms of script on the clock, {p.g('renderer()')[:40]}, "
              f"load {load:.1f} on {cpus} cores")
        assert p.g("fps()") > 0.5
