//! The socket of a page: orders in, the newest frame out.
//!
//! A page acknowledges what it draws, and at most two frames are under way to it: a page that is slow, asleep or gone
//! gets fewer frames, never late ones. What it says is bounded in size and in number, and what is wrong with it is
//! answered in words.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use crate::act::Act;
use crate::command::Command;
use crate::handshake::accept_key;
use crate::http::Request;
use crate::shared::{Order, Shared};
use crate::wire::{is_urgent, number};

/// Of a message, bytes: an order has a hundred.
const LONGEST: usize = 64 << 10;
/// Messages of a page in a second; a mouse has a thousand at most, and a page thins them out.
const MOST: u32 = 1000;
/// Words about errors in a second.
const MOST_WORDS: u32 = 20;
/// Frames under way.
const UNDER_WAY: usize = 2;
/// Frames that nobody acknowledged are forgotten after so long.
const FORGIVE: Duration = Duration::from_millis(500);
/// How long it listens before it looks for a new frame.
const LISTEN: Duration = Duration::from_millis(3);
/// How long it waits for the frame that answers an order: the system looks at a socket's patience every few milliseconds only.
const ANSWER: Duration = Duration::from_millis(10);
/// A page that takes nothing for so long is gone.
const GONE: Duration = Duration::from_secs(5);

/// Upgrades a checked request, and serves until the page goes.
pub(crate) fn serve(mut stream: TcpStream, request: &Request, shared: &Arc<Shared>) -> io::Result<()> {
    let key = request.header("sec-websocket-key").unwrap_or_default();
    let upgrade = request.header("upgrade").is_some_and(|u| u.eq_ignore_ascii_case("websocket"));
    if key.is_empty() || !upgrade || request.header("sec-websocket-version") != Some("13") {
        return io::Write::write_all(
            &mut stream,
            b"HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n",
        );
    }
    let accept = accept_key(key);
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    io::Write::write_all(&mut stream, head.as_bytes())?;
    stream.set_read_timeout(Some(LISTEN))?;
    stream.set_write_timeout(Some(GONE))?;
    let config = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    let socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let id = shared.enter();
    let ended = Page::new(socket, id, shared).serve();
    if shared.leave(id) {
        // what the hands held falls; this thread may wait for room, for its page is gone
        let _over = shared.inbox.send(Order::Do { page: id, command: Command::Act(Act::Release) });
    }
    ended
}

struct Page<'a> {
    socket: WebSocket<TcpStream>,
    id: u64,
    shared: &'a Shared,
    newest: Option<u32>, // the newest frame sent
    under_way: Vec<u32>, // frames sent and not acknowledged
    sent: Instant,       // the last of them
    waited: Instant,     // for an answer
    seen: [u64; 2],
    hands: Option<bool>, // what it was told
    second: Instant,
    messages: u32,
    words: u32,
}

impl<'a> Page<'a> {
    fn new(socket: WebSocket<TcpStream>, id: u64, shared: &'a Shared) -> Self {
        let second = Instant::now();
        Self {
            socket,
            id,
            shared,
            newest: None,
            under_way: Vec::new(),
            sent: second,
            waited: second,
            seen: [0; 2],
            hands: None,
            second,
            messages: 0,
            words: 0,
        }
    }

    fn serve(&mut self) -> io::Result<()> {
        while !self.shared.is_closed() {
            match self.socket.read() {
                Ok(Message::Text(text)) => self.hear(text.as_str())?,
                Ok(Message::Binary(_)) => self.say_error("messages are text, with one JSON object each")?,
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
                Err(Error::Io(e))
                    if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                Err(Error::Capacity(_)) => {
                    self.say_error("the message is too long; at most 65536 bytes")?;
                    return Ok(());
                }
                Ok(Message::Close(_)) | Err(_) => return Ok(()),
            }
            self.tell()?;
        }
        let _gone = self.socket.close(None);
        let _gone = self.socket.flush();
        Ok(())
    }

    fn hear(&mut self, text: &str) -> io::Result<()> {
        if self.second.elapsed() > Duration::from_secs(1) {
            (self.second, self.messages, self.words) = (Instant::now(), 0, 0);
        }
        self.messages += 1;
        if self.messages > MOST {
            return self.say_error("too many messages; the rest of this second's are dropped");
        }
        match Command::read(text) {
            Ok(Command::Ack { seq }) => {
                // frames before it were drawn or passed over
                let upto = self.under_way.iter().position(|s| *s == seq).map_or(0, |k| k + 1);
                self.under_way.drain(..upto);
                self.shared.draw();
            }
            Ok(Command::Take) => self.shared.take_hands(self.id),
            Ok(_) if !self.shared.has_hands(self.id) => {
                return self.say_error("another page has the hands; take them first");
            }
            Ok(command) => {
                // a hand on its way is seen with the next frame
                let moves = matches!(command, Command::Act(Act::Drag { .. }));
                let order = Order::Do { page: self.id, command };
                if self.shared.inbox.try_send(order).is_err() {
                    return self.say_error("the simulation is busy; this order is dropped");
                }
                if !moves {
                    self.shared.hurry.raise();
                    // once in a while: a flood of orders is read as fast as ever
                    if self.waited.elapsed() > ANSWER {
                        self.shared.await_answer(self.newest, ANSWER);
                        self.waited = Instant::now();
                    }
                }
            }
            Err(error) => return self.say_error(&error.to_string()),
        }
        Ok(())
    }

    /// Everything that is new since the last time.
    fn tell(&mut self) -> io::Result<()> {
        for reply in self.shared.take_replies(self.id) {
            self.say_error(&reply)?;
        }
        let hands = self.shared.has_hands(self.id);
        if self.hands != Some(hands) {
            self.hands = Some(hands);
            self.say(&json!({"kind": "hands", "yours": hands}).to_string())?;
        }
        for (k, notice) in [self.shared.settings(), self.shared.pulse()].into_iter().enumerate() {
            if notice.number != self.seen[k] {
                self.seen[k] = notice.number;
                self.say(&notice.text)?;
            }
        }
        let Some(frame) = self.shared.frame() else { return Ok(()) };
        let seq = number(&frame);
        // an acknowledgement may be lost in a flood, and a page that sleeps is not left behind for ever
        if self.under_way.len() >= UNDER_WAY && self.sent.elapsed() > FORGIVE {
            self.under_way.clear();
        }
        // what answers an order does not wait for frames that are being drawn
        let room = UNDER_WAY + usize::from(is_urgent(&frame));
        if self.newest != Some(seq) && self.under_way.len() < room {
            self.newest = Some(seq);
            self.under_way.push(seq);
            self.sent = Instant::now();
            self.send(Message::Binary(frame.to_vec().into()))?;
        }
        Ok(())
    }

    fn say_error(&mut self, words: &str) -> io::Result<()> {
        self.words += 1;
        if self.words > MOST_WORDS {
            return Ok(());
        }
        self.say(&json!({"kind": "error", "error": words}).to_string())
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.send(Message::Text(text.into()))
    }

    fn send(&mut self, message: Message) -> io::Result<()> {
        self.socket.send(message).map_err(|e| io::Error::other(e.to_string()))
    }
}
