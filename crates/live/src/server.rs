//! Listens, checks who speaks, and hands out the page, its socket and its downloads. One thread per connection: there
//! are a handful of them, on one machine.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use gudgeon_replay::{HtmlOptions, html, mcap};

use crate::http::{Request, answer};
use crate::shared::{Order, Shared};
use crate::socket;

/// Stands in the page where the nonce of an answer goes.
pub(crate) const NONCE: &str = "NONCE-OF-THIS-ANSWER";
/// At once; a browser opens a few.
const MOST_CONNECTIONS: usize = 64;
/// For a whole head to come, however it drips.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);
/// For a part of an answer to go.
const PATIENCE: Duration = Duration::from_secs(10);
/// For the simulation's thread to hand over a recording: a step may be long.
const STEP_PATIENCE: Duration = Duration::from_mins(1);

/// Where to listen.
#[derive(Debug, Clone)]
pub struct Listen {
    /// The loopback unless told.
    pub address: IpAddr,
    /// 0 lets the system choose.
    pub port: u16,
    /// Other names under which this machine may be asked for.
    pub names: Vec<String>,
}

impl Default for Listen {
    fn default() -> Self {
        Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, names: Vec::new() }
    }
}

/// Bytes that nobody guesses, as hexadecimal digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Takes connections until closed.
pub(crate) fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_closed() {
            return;
        }
        let Ok(stream) = stream else { continue };
        // who has not said yet what he wants makes room for who comes
        let full = shared.connections.fetch_add(1, Ordering::AcqRel) >= MOST_CONNECTIONS;
        if full && !shared.show_out() {
            shared.connections.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let own = Arc::clone(shared);
        let spawned = thread::Builder::new().name("gudgeon-page".into()).spawn(move || {
            // whatever goes wrong with one connection is that connection's end
            let _ended: io::Result<()> = connection(stream, &own);
            own.connections.fetch_sub(1, Ordering::AcqRel);
        });
        if spawned.is_err() {
            shared.connections.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Wakes `accept` after a close.
pub(crate) fn wake(at: SocketAddr) {
    let ip = if at.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { at.ip() };
    let _woken = TcpStream::connect_timeout(&SocketAddr::new(ip, at.port()), Duration::from_secs(1));
}

/// A stream that is read until a moment, not for so long per byte.
struct Until<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(bytes)
    }
}

fn connection(mut stream: TcpStream, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let caller = shared.let_wait(stream.try_clone()?);
    let request = Request::read(&mut Until { stream: &stream, end: Instant::now() + HEAD_PATIENCE });
    shared.has_spoken(caller);
    let Some(request) = request? else {
        return plain(&mut stream, shared, "400 Bad Request", "not a request that is understood here\n");
    };
    if let Err(refusal) = shared.guard.check(&request) {
        let (status, words) = refusal.words();
        return plain(&mut stream, shared, status, words);
    }
    if request.path == "/ws" {
        return socket::serve(stream, &request, shared);
    }
    serve(&mut stream, &request.path, shared)
}

fn serve(stream: &mut TcpStream, path: &str, shared: &Shared) -> io::Result<()> {
    let octets = "application/octet-stream";
    let text = "text/html; charset=utf-8";
    let (kind, name, body) = match path {
        "/" => {
            let nonce = secret()?;
            let page = shared.page.replace(NONCE, &nonce);
            return answer(stream, "200 OK", text, page.as_bytes(), &nonce, shared.framing(), None);
        }
        "/run.gud" => (
            octets,
            "run.gud",
            ask(shared, Order::Recording).and_then(|r| {
                let mut bytes = Vec::new();
                r.write(&mut bytes).ok().map(|()| bytes)
            }),
        ),
        "/run.html" => (
            text,
            "run.html",
            ask(shared, Order::Recording)
                .filter(|r| !r.frames.is_empty())
                .map(|r| html(&r, &HtmlOptions::default()).into_bytes()),
        ),
        "/run.mcap" => (
            octets,
            "run.mcap",
            ask(shared, Order::Recording)
                .filter(|r| !r.frames.is_empty())
                .map(|r| mcap(&r, HtmlOptions::default().fps)),
        ),
        "/scene.toml" => {
            ("text/plain; charset=utf-8", "scene.toml", ask(shared, Order::Scene).map(String::into_bytes))
        }
        _ => return plain(stream, shared, "404 Not Found", "there is no such thing here\n"),
    };
    match body {
        Some(body) => answer(stream, "200 OK", kind, &body, "none", shared.framing(), Some(name)),
        None => plain(
            stream,
            shared,
            "409 Conflict",
            "nothing was recorded yet, or the simulation does not answer\n",
        ),
    }
}

/// Asks the simulation's thread for something.
fn ask<T>(shared: &Shared, order: impl FnOnce(SyncSender<T>) -> Order) -> Option<T> {
    let (sender, receiver): (SyncSender<T>, Receiver<T>) = sync_channel(1);
    shared.inbox.try_send(order(sender)).ok()?;
    receiver.recv_timeout(STEP_PATIENCE).ok()
}

fn plain(stream: &mut impl Write, shared: &Shared, status: &str, words: &str) -> io::Result<()> {
    answer(stream, status, "text/plain; charset=utf-8", words.as_bytes(), "none", shared.framing(), None)
}
