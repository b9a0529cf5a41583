//! What the loop of a live simulation costs the thread that steps: processor time beside plain steps, in turns.
//!
//! `cargo run --release -p gudgeon-live --example overhead`: a page looks on and draws every frame; snapshots for the
//! way back are kept. Linux tells the processor time of a thread; elsewhere the clock is read.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gudgeon_live::{Live, Options};
use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

/// Live and plain in turns, so often: a machine's own moods last for a few of them.
const TURNS: u64 = 40;

/// Processor time of this thread, s.
fn seconds(began: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|t| t.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// A page that takes every frame and says so.
fn page(address: &str, stop: &AtomicBool) -> Result<(), Box<dyn std::error::Error>> {
    let (host, token) = address.trim_start_matches("http://").split_once("/?token=").ok_or("an address")?;
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "GET /ws?token={token} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )?;
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    stream.set_read_timeout(Some(Duration::from_millis(50)))?;
    let role = tungstenite::protocol::Role::Client;
    let mut socket = tungstenite::WebSocket::from_raw_socket(stream, role, None);
    while !stop.load(Ordering::Relaxed) {
        if let Ok(tungstenite::Message::Binary(frame)) = socket.read() {
            let seq = u32::from_le_bytes(frame[4..8].try_into()?);
            socket.send(tungstenite::Message::Text(format!("{{\"do\":\"ack\",\"seq\":{seq}}}").into()))?;
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let began = Instant::now();
    // or one scene and how many steps, for a tool that counts
    let args: Vec<String> = std::env::args().skip(1).collect();
    let only = args.first().map(String::as_str);
    let count = args.get(1).and_then(|a| a.parse().ok());
    for (name, steps) in [("wall", 16_000), ("squat", 80_000), ("ragdoll", 80_000), ("kapla", 8_000)] {
        if only.is_some_and(|o| o != name) {
            continue;
        }
        let steps = count.unwrap_or(steps);
        let scene = builtin(name, &Params::new())?;
        let (mut plain, mut sim) = (Simulator::new(&scene)?, Simulator::new(&scene)?);
        let mut live = Live::open(&scene, &mut sim, Options { speed: Some(0.0), ..Options::default() })?;
        let stop = Arc::new(AtomicBool::new(false));
        let (address, ended) = (live.address(), Arc::clone(&stop));
        let looking = std::thread::spawn(move || page(&address, &ended).map_err(|e| e.to_string()));
        while live.pages() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (mut alone, mut with) = (0.0, 0.0);
        while sim.steps() < steps {
            let start = seconds(began);
            // the system counts a thread's time by ticks of milliseconds: sums of many turns
            let until = (sim.steps() + steps / TURNS).min(steps);
            while sim.steps() < until {
                live.poll(&mut sim);
                let _wait = live.turn(&mut sim, &mut |_: &mut Simulator| {});
                live.publish(&mut sim);
            }
            let middle = seconds(began);
            while plain.steps() < sim.steps() {
                let _ = plain.step()?;
            }
            with += middle - start;
            alone += seconds(began) - middle;
        }
        stop.store(true, Ordering::Relaxed);
        let _looked = looking.join();
        let same = if plain.state_hash() == sim.state_hash() { "the same state" } else { "ANOTHER STATE" };
        println!(
            "{name:9} {:7.3} ms a step alone, {:+.1} % live with a page ({TURNS} turns of each), {same}",
            1e3 * alone / steps as f64,
            100.0 * (with / alone - 1.0),
        );
    }
    Ok(())
}
