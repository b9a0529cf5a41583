//! Pages of every kind: idle, gone, slow, rude, and from elsewhere. The simulation goes its way.

use std::io::Write;
use std::net::TcpStream;

use gudgeon_sim::Simulator;

use crate::client::{Page, get, open, parts, until, wall};

/// The hash after so many steps without anybody.
fn alone(steps: u64) -> u64 {
    let mut sim = Simulator::new(&wall()).unwrap();
    for _ in 0..steps {
        let _ = sim.step().unwrap();
    }
    sim.state_hash()
}

#[test]
fn an_idle_page_changes_no_bit() {
    let (mut live, mut sim) = open(&wall());
    let mut page = Page::open(&live);
    let mut seen = Vec::new();
    until(&mut live, &mut sim, |live, sim| {
        seen.extend(page.take().0);
        (sim.steps() >= 40 && live.pages() == 1).then_some(()).is_some()
    });
    let steps = sim.steps();
    assert_eq!(sim.state_hash(), alone(steps));
    assert!(!seen.is_empty(), "it was shown");
    // the hash that the page was told is that of the state it was shown
    let last = seen.last().unwrap();
    let step = f64::from_le_bytes(last[16..24].try_into().unwrap());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let step = step as u64;
    assert_eq!(u64::from_le_bytes(last[56..64].try_into().unwrap()), alone(step));
}

#[test]
fn rude_pages_do_no_harm() {
    let (mut live, mut sim) = open(&wall());
    let mut polite = Page::open(&live);
    until(&mut live, &mut sim, |live, _| live.pages() == 1);
    // one that is gone at once, one that never reads, one that floods, one that sends too much, one that speaks no protocol
    drop(Page::open(&live));
    let _deaf = Page::open(&live);
    let mut flood = Page::open(&live);
    let mut large = Page::open(&live);
    let (port, _) = parts(&live.address());
    let mut noise = TcpStream::connect(("127.0.0.1", port)).unwrap();
    noise.write_all(&[0xff; 5000]).unwrap();
    let mut garbled = Page::open(&live);
    let _cut = garbled.0.get_mut().write_all(&[0x8f; 300]);
    for k in 0..5000 {
        let _full = flood.0.write(tungstenite::Message::Text(format!("rubbish {k}").into()));
        if k % 100 == 0 {
            let _full = flood.0.flush();
            live.poll(&mut sim);
            let _wait = live.turn(&mut sim, &mut |_: &mut Simulator| {});
            live.publish(&mut sim);
        }
    }
    let _refused = large.0.send(tungstenite::Message::Text("x".repeat(1 << 20).into()));
    polite.send(r#"{"do":"friction","value":-3}"#);
    polite.send(r#"{"do":"dance"}"#);
    let mut words = Vec::new();
    let from = sim.steps();
    until(&mut live, &mut sim, |_, sim| {
        words.extend(polite.take().1);
        let errors = words.iter().filter(|w| w["kind"] == "error").count();
        errors >= 2 && sim.steps() > from + 20
    });
    let errors: Vec<String> = words
        .iter()
        .filter(|w| w["kind"] == "error")
        .map(|w| w["error"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(errors[0], "'value' is -3, expected a number from 0 to 100");
    assert_eq!(errors[1], "'dance' is not an order");
    let (_, words) = flood.take();
    assert!(words.iter().any(|w| w["error"].as_str().is_some_and(|e| e.contains("not JSON"))), "{words:?}");
    assert_eq!(sim.state_hash(), alone(sim.steps()), "none of it touched the run");
}

#[test]
fn one_page_has_the_hands() {
    let (mut live, mut sim) = open(&wall());
    let mut first = Page::open(&live);
    until(&mut live, &mut sim, |live, _| live.pages() == 1);
    let mut second = Page::open(&live);
    until(&mut live, &mut sim, |live, _| live.pages() == 2);
    second.send(r#"{"do":"pause"}"#);
    let mut words = Vec::new();
    until(&mut live, &mut sim, |_, _| {
        words.extend(second.take().1);
        words.iter().any(|w| w["error"] == "another page has the hands; take them first")
    });
    second.send(r#"{"do":"take"}"#);
    second.send(r#"{"do":"pause"}"#);
    let mut told = Vec::new();
    until(&mut live, &mut sim, |_, _| {
        told.extend(first.take().1);
        told.iter().any(|w| w["kind"] == "hands" && w["yours"] == false)
            && told.iter().any(|w| w["kind"] == "pulse" && w["running"] == false)
    });
    drop(second);
    until(&mut live, &mut sim, |_, _| {
        told.extend(first.take().1);
        told.iter().rev().find(|w| w["kind"] == "hands").is_some_and(|w| w["yours"] == true)
    });
}

#[test]
fn strangers_see_nothing() {
    let (live, _sim) = open(&wall());
    let (port, token) = parts(&live.address());
    let ask = |path: &str, headers: &str| get(port, &format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let page = ask(&format!("/?token={token}"), &host);
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<canvas"), "{}", &page[..200]);
    for header in [
        "frame-ancestors 'none'",
        "X-Frame-Options: DENY",
        "default-src 'none'",
        "script-src 'nonce-",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
    ] {
        assert!(page[..2000].contains(header), "{header}");
    }
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let all = ["/", "/ws", "/run.gud", "/run.html", "/run.mcap", "/scene.toml"];
    for path in all {
        for (query, headers, why) in [
            ("", host.clone(), "token"),
            ("?token=0123456789abcdef0123456789abcdef", host.clone(), "token"),
            (&format!("?token={token}"), format!("Host: evil.example:{port}\r\n"), "Host"),
            (&format!("?token={token}"), format!("{host}Origin: http://evil.example\r\n"), "Origin"),
        ] {
            let answer = ask(&format!("{path}{query}"), &format!("{headers}{upgrade}"));
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains(why), "{path} {why}: {answer}");
        }
    }
    for path in ["/etc/passwd", "/../../etc/passwd", "/%2e%2e/x", "/player.js"] {
        let answer = ask(&format!("{path}?token={token}"), &host);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    let answer = get(port, &format!("POST /?token={token} HTTP/1.1\r\n{host}\r\n"));
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    assert!(get(port, "hello\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(
        get(port, &format!("GET / HTTP/1.1\r\n{}\r\n\r\n", "x: y\r\n".repeat(5000)))
            .starts_with("HTTP/1.1 400")
    );
}

/// More idle and dripping callers than there are places: who asks properly is served, and a head that drips is not waited for.
#[test]
fn slow_callers_keep_nobody_out() {
    let (live, _sim) = open(&wall());
    let (port, token) = parts(&live.address());
    let mut idle: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    for stream in &mut idle {
        let _shown_out = stream.write_all(b"GET / HT");
    }
    let head = format!("GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    for _ in 0..5 {
        assert!(get(port, &head).starts_with("HTTP/1.1 200 OK"));
    }
    drop(idle);
    let mut drip = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut sent = 0;
    // a head may have 16,384 bytes; at ten a second it is given up long before
    while drip.write_all(b"x").is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(100));
        sent += 1;
        assert!(sent < 1000, "still listening");
    }
}

#[test]
fn a_page_saves_what_was_recorded() {
    let (mut live, mut sim) = open(&wall());
    live.record(&mut sim);
    until(&mut live, &mut sim, |_, sim| sim.steps() >= 30);
    let (port, token) = parts(&live.address());
    let asking = std::thread::spawn(move || {
        let ask = |path: &str| {
            get(port, &format!("GET /{path}?token={token} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"))
        };
        ["run.gud", "run.html", "run.mcap", "scene.toml"].map(ask)
    });
    until(&mut live, &mut sim, |_, _| asking.is_finished());
    let [gud, html, mcap, toml] = asking.join().unwrap();
    let body = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    for answer in [&gud, &html, &mcap, &toml] {
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("attachment"), "{}", &answer[..300]);
    }
    assert!(body(&gud).starts_with("GUDREC"));
    assert!(body(&html).starts_with("<!doctype html>"));
    assert!(body(&mcap).contains("MCAP"));
    assert!(body(&toml).contains("[[body]]"));
}
