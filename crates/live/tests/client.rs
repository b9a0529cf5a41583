//! A page without a browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use gudgeon_live::{Live, Options};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Scene, Simulator};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

pub(crate) fn wall() -> Scene {
    builtin("wall", &Params::new()).unwrap()
}

/// Four boxes on each other: what a hand does to them is solved in no time.
pub(crate) fn stack() -> Scene {
    let mut scene = builtin("stack", &Params::new().set("boxes", 4.0).set("ratio", 2.0)).unwrap();
    scene.settings.dt = 1e-2;
    scene
}

pub(crate) fn open(scene: &Scene) -> (Live, Simulator) {
    let mut sim = Simulator::new(scene).unwrap();
    let live = Live::open(scene, &mut sim, Options { speed: Some(0.0), ..Options::default() }).unwrap();
    (live, sim)
}

/// Port and token of an address.
pub(crate) fn parts(address: &str) -> (u16, String) {
    let (host, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once("/?token=").unwrap();
    (host.parse().unwrap(), token.to_owned())
}

/// Sends a head and reads until the server closes.
pub(crate) fn get(port: u16, head: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut out = Vec::new();
    let _cut = stream.read_to_end(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// A socket to the simulation.
pub(crate) struct Page(pub(crate) WebSocket<TcpStream>);

impl Page {
    pub(crate) fn open(live: &Live) -> Self {
        let (port, token) = parts(&live.address());
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(
            stream,
            "GET /ws?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        // the example of RFC 6455, §1.3
        assert!(head.starts_with("HTTP/1.1 101") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
        Self(WebSocket::from_raw_socket(stream, Role::Client, None))
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.send(Message::Text(text.into())).unwrap();
    }

    /// Everything that is there, frames acknowledged.
    pub(crate) fn take(&mut self) -> (Vec<Vec<u8>>, Vec<serde_json::Value>) {
        let (mut frames, mut words) = (Vec::new(), Vec::new());
        while let Ok(message) = self.0.read() {
            match message {
                Message::Binary(bytes) => {
                    let seq = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
                    self.send(&format!("{{\"do\":\"ack\",\"seq\":{seq}}}"));
                    frames.push(bytes.to_vec());
                }
                Message::Text(text) => words.push(serde_json::from_str(text.as_str()).unwrap()),
                _ => {}
            }
        }
        (frames, words)
    }
}

/// Runs the loop of a live simulation until a condition holds.
pub(crate) fn until(
    live: &mut Live,
    sim: &mut Simulator,
    mut done: impl FnMut(&mut Live, &Simulator) -> bool,
) {
    while !done(live, sim) {
        live.poll(sim);
        let _wait = live.turn(sim, &mut |_: &mut Simulator| {});
        live.publish(sim);
    }
}
