"""Pages that come, go, are killed, flood or have no business here."""

import urllib.error
import urllib.request

from page import Page, Server, wait


def two_pages_pass_the_hands(browser):
    with Server("wall") as server, Page(browser, server) as first, Page(browser, server) as second:
        first.wait("gudgeon.live().hands")
        assert not second.g("live().hands") and second.page.is_visible("text=take the hands")
        second.page.keyboard.press("Space")
        second.wait("gudgeon.live().errors.length === 1")
        assert "another page has the hands" in second.g("live().errors")[0]
        second.page.click("text=take the hands")
        second.wait("gudgeon.live().hands")
        first.wait("!gudgeon.live().hands")
        second.pause()
        first.wait("!gudgeon.playing()")


def a_page_that_is_killed_comes_back(browser):
    with Server("wall") as server:
        with Page(browser, server) as p:
            before = p.g("steps()")
            p.js("gudgeon.live().wire.socket.close()")
            p.wait("!gudgeon.live().wire.ready")
            p.wait("gudgeon.live().wire.ready")
            p.wait(f"gudgeon.steps() > {before}")
            # rubbish from a page is answered, and nothing is lost
            p.js("for (let k = 0; k < 3000; k++) gudgeon.live().wire.socket.send('rubbish' + k)")
            p.wait("gudgeon.live().errors.length > 0")
            assert "not JSON" in p.g("live().errors")[0]
            now = p.g("steps()")
            p.wait(f"gudgeon.steps() > {now} + 5")
        killed = browser.new_context().new_page()
        killed.goto(server.address)
        try:
            killed.goto("chrome://crash", timeout=5000)
        except Exception:  # the page is gone, and cannot say so
            pass
        with Page(browser, server) as p:
            now = p.g("steps()")
            p.wait(f"gudgeon.steps() > {now} + 5")
            p.js("gudgeon.live().send({ do: 'take' })")
            p.wait("gudgeon.live().hands")


def strangers_are_refused(browser):
    with Server("slope", "--paused") as server:
        base, token = server.address.split("/?token=")
        port = base.rsplit(":", 1)[1]
        for request, code in [
            (urllib.request.Request(f"{base}/"), 403),
            (urllib.request.Request(f"{base}/?token={'0' * 32}"), 403),
            (urllib.request.Request(server.address, headers={"Host": f"evil.example:{port}"}), 403),
            (urllib.request.Request(server.address, headers={"Origin": "http://evil.example"}), 403),
            (urllib.request.Request(f"{base}/etc/passwd?token={token}"), 404),
        ]:
            try:
                urllib.request.urlopen(request)
                raise AssertionError(f"{request.full_url} {request.headers} was let in")
            except urllib.error.HTTPError as error:
                assert error.code == code, (request.full_url, error.code)
        # a page from elsewhere, in a real browser: no socket, no frame, no fetch
        page = browser.new_page()
        page.route("http://evil.example/*", lambda r: r.fulfill(body="<!doctype html><p>hello</p>", content_type="text/html"))
        page.goto("http://evil.example/")
        opened = page.evaluate(f"""new Promise((done) => {{
            const s = new WebSocket("ws://127.0.0.1:{port}/ws?token={token}");
            s.onopen = () => done("open"); s.onerror = () => done("refused"); }})""")
        assert opened == "refused", opened
        fetched = page.evaluate(f"fetch('{server.address}').then(() => 'read', () => 'refused')")
        assert fetched == "refused", fetched
        page.close()


def pictures_go_on_while_orders_come(browser):
    """A slider that moves sends an order with every picture; pictures do not wait for the last of them."""
    with Server("squat") as server:
        context = browser.new_context(viewport={"width": 800, "height": 600})
        page = context.new_page()
        page.goto(server.address)
        wait(page, "window.gudgeon && gudgeon.live().arrived > 20")
        drawn = page.evaluate("""new Promise((done) => {
            const began = performance.now(), first = gudgeon.pictures();
            const order = (now) => {
              gudgeon.live().send({ do: "speed", x: 1 });
              if (now - began < 1500) requestAnimationFrame(order); else done(gudgeon.pictures() - first);
            };
            requestAnimationFrame(order);
          })""")
        assert drawn >= 8, drawn  # a second and a half; some forty on two quiet cores
        context.close()
