"""How soon a page of a live simulation shows and tells what happens."""

import os
import time

from page import Server, pile, quadruped, wait


def how_fast_it_is(browser):
    """Measured, not judged: the machine may be busy and has no graphics card."""
    for name, args in [("wall", ["wall"]), ("humanoid", ["squat"]), ("quadruped", [quadruped()]), ("pile of 200", [pile()])]:
        with Server(*args) as server:
            printed = time.time() - server.began
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            ready, spent = time.time() - server.began, processor_seconds()
            page.goto(server.address)
            wait(page, "window.gudgeon && gudgeon.pictures() > 0")
            # by the page's own clock: what this script takes to ask is none of its time
            marked = page.evaluate("performance.getEntriesByName('picture')[0].startTime") / 1e3
            first, spent = printed + marked, processor_seconds() - spent
            wait(page, "gudgeon.live().arrived > 20")
            page.evaluate("gudgeon.measure()")
            time.sleep(3)
            fps, factor = page.evaluate("[gudgeon.fps(), gudgeon.player.recording.stats.factor.at(-1)]")
            delays = sorted(latency(page) for _ in range(21))
            print(f"  {name}: address {printed * 1e3:.0f} ms, first picture {first:.2f} s after the command (an empty tab took {ready - printed:.2f} s), "
                  f"{spent:.2f} s of processor time for it, {fps:.0f} frames/s at 1280x800, "
                  f"real-time factor {factor:.2f}, pull to its force {delays[10]:.0f} ms (median of 21; nine in ten below {delays[18]:.0f}, longest {delays[-1]:.0f}), "
                  f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
            context.close()


def processor_seconds():
    """Of everything this script started but its own driver: the browser's processes and the command."""
    ticks, parents, names = {}, {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                head, tail = stat.read().rsplit(")", 1)
        except OSError:  # it has ended meanwhile
            continue
        fields = tail.split()
        parents[pid], ticks[pid], names[pid] = fields[1], int(fields[11]) + int(fields[12]), head.split("(", 1)[1]
    own = str(os.getpid())

    def below(pid):
        while pid in parents and pid != own:
            pid = parents[pid]
        return pid == own

    wanted = [pid for pid in ticks if pid != own and "node" not in names[pid] and below(pid)]
    return sum(ticks[pid] for pid in wanted) / os.sysconf("SC_CLK_TCK")


def latency(page):
    """ms from a pull that is sent to a frame with its force that has arrived."""
    return page.evaluate("""new Promise((done) => {
        const live = gudgeon.live(), take = live.feed.take.bind(live.feed), began = performance.now();
        live.feed.take = (buffer) => {
          const out = take(buffer);
          if (live.feed.pulls[live.feed.n - 1].length) { live.feed.take = take; const ms = performance.now() - began; live.send({ do: "release" }); setTimeout(() => done(ms), 200); }
          return out;
        };
        live.send({ do: "grab", body: 1, point: [0, 0, 0], target: gudgeon.position(1), gain: 0.1 });
      })""")
