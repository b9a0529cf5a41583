//! What the simulation's thread and the connections share. Every lock is held for the time of a copy of a pointer: the
//! simulation never waits for a page.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gudgeon_lcp::Interrupt;
use gudgeon_sim::Recording;

use crate::command::Command;
use crate::http::{Framing, Guard};
use crate::wire::{is_urgent, number};

/// Replies kept for pages that do not fetch them.
const MOST_REPLIES: usize = 1000;

/// Something for the simulation's thread to do.
pub(crate) enum Order {
    /// What a page asks for.
    Do { page: u64, command: Command },
    /// The recording, to be saved by whoever asks.
    Recording(SyncSender<Recording>),
    /// The scene with its changes, as a file.
    Scene(SyncSender<String>),
}

/// A text with a number that changes with it.
#[derive(Clone)]
pub(crate) struct Notice {
    pub(crate) number: u64,
    pub(crate) text: Arc<str>,
}

/// A flag that pages raise when an order is not to wait for the step under way.
pub(crate) struct Hurry(&'static AtomicBool);

impl Hurry {
    /// It stays for as long as the program: solvers watch flags that do.
    pub(crate) fn new() -> Self {
        Self(Box::leak(Box::new(AtomicBool::new(false))))
    }

    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub(crate) fn interrupt(&self) -> Interrupt {
        Interrupt::new(self.0)
    }
}

pub(crate) struct Shared {
    pub(crate) guard: Guard,
    pub(crate) page: Arc<str>, // with NONCE where the nonce goes
    pub(crate) inbox: SyncSender<Order>,
    pub(crate) hurry: Hurry, // an order waits that should not
    frame: Mutex<Option<Arc<[u8]>>>,
    shown: Condvar, // there is a new frame
    settings: Mutex<Notice>,
    pulse: Mutex<Notice>,
    replies: Mutex<Vec<(u64, String)>>,
    pages: Mutex<Vec<u64>>, // in order of coming
    holder: AtomicU64,      // the page that has the hands; 0 is none
    next: AtomicU64,
    pub(crate) connections: AtomicUsize,
    waiting: Mutex<VecDeque<(u64, TcpStream)>>, // connections whose head has not come yet, the oldest first
    drawn: AtomicBool,                          // a page has shown a frame
    closed: AtomicBool,
    notebooks: AtomicBool,
}

/// Nothing is done under these locks that could fail half way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(guard: Guard, page: String, inbox: SyncSender<Order>) -> Self {
        let nothing = || Mutex::new(Notice { number: 0, text: "".into() });
        Self {
            guard,
            page: page.into(),
            inbox,
            hurry: Hurry::new(),
            frame: Mutex::new(None),
            shown: Condvar::new(),
            settings: nothing(),
            pulse: nothing(),
            replies: Mutex::new(Vec::new()),
            pages: Mutex::new(Vec::new()),
            holder: AtomicU64::new(0),
            next: AtomicU64::new(1),
            connections: AtomicUsize::new(0),
            waiting: Mutex::new(VecDeque::new()),
            drawn: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            notebooks: AtomicBool::new(false),
        }
    }

    pub(crate) fn publish(&self, frame: Vec<u8>) {
        let frame: Arc<[u8]> = frame.into();
        *lock(&self.frame) = Some(frame);
        self.shown.notify_all();
    }

    /// Waits until there is a frame that answers an order and is not the one of this number, or for so long.
    pub(crate) fn await_answer(&self, newest: Option<u32>, patience: Duration) {
        let waits = |now: &mut Option<Arc<[u8]>>| {
            !now.as_deref().is_some_and(|f| is_urgent(f) && Some(number(f)) != newest)
        };
        let _late = self.shown.wait_timeout_while(lock(&self.frame), patience, waits);
    }

    pub(crate) fn frame(&self) -> Option<Arc<[u8]>> {
        lock(&self.frame).clone()
    }

    pub(crate) fn set_settings(&self, text: String) {
        put(&self.settings, text);
    }

    pub(crate) fn set_pulse(&self, text: String) {
        put(&self.pulse, text);
    }

    pub(crate) fn settings(&self) -> Notice {
        lock(&self.settings).clone()
    }

    pub(crate) fn pulse(&self) -> Notice {
        lock(&self.pulse).clone()
    }

    /// Tells one page something, if it is still there.
    pub(crate) fn reply(&self, page: u64, text: String) {
        if !lock(&self.pages).contains(&page) {
            return;
        }
        let mut all = lock(&self.replies);
        if all.len() < MOST_REPLIES {
            all.push((page, text));
        }
    }

    pub(crate) fn take_replies(&self, page: u64) -> Vec<String> {
        let mut all = lock(&self.replies);
        if all.is_empty() {
            return Vec::new();
        }
        let (mine, rest) = std::mem::take(&mut *all).into_iter().partition(|(p, _)| *p == page);
        *all = rest;
        let mine: Vec<(u64, String)> = mine;
        mine.into_iter().map(|(_, text)| text).collect()
    }

    /// A new page; the first has the hands.
    pub(crate) fn enter(&self) -> u64 {
        let page = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.pages).push(page);
        let _ = self.holder.compare_exchange(0, page, Ordering::AcqRel, Ordering::Acquire);
        page
    }

    /// A connection whose head is still to come; a number for `has_spoken`.
    pub(crate) fn let_wait(&self, stream: TcpStream) -> u64 {
        let caller = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.waiting).push_back((caller, stream));
        caller
    }

    pub(crate) fn has_spoken(&self, caller: u64) {
        lock(&self.waiting).retain(|(c, _)| *c != caller);
    }

    /// Ends the connection that has waited longest with its head; whether there was one.
    pub(crate) fn show_out(&self) -> bool {
        let oldest = lock(&self.waiting).pop_front();
        oldest.is_some_and(|(_, stream)| stream.shutdown(Shutdown::Both).is_ok())
    }

    /// A page goes; what was to be told to it is forgotten, and its hands pass to the one that came next. Whether it had them.
    pub(crate) fn leave(&self, page: u64) -> bool {
        let mut pages = lock(&self.pages);
        pages.retain(|p| *p != page);
        lock(&self.replies).retain(|(p, _)| *p != page);
        let heir = pages.first().copied().unwrap_or(0);
        self.holder.compare_exchange(page, heir, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    pub(crate) fn take_hands(&self, page: u64) {
        self.holder.store(page, Ordering::Release);
    }

    pub(crate) fn has_hands(&self, page: u64) -> bool {
        self.holder.load(Ordering::Acquire) == page
    }

    pub(crate) fn pages(&self) -> usize {
        lock(&self.pages).len()
    }

    /// A page has shown a frame.
    pub(crate) fn draw(&self) {
        self.drawn.store(true, Ordering::Release);
    }

    pub(crate) fn is_drawn(&self) -> bool {
        self.drawn.load(Ordering::Acquire)
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    pub(crate) fn allow_notebooks(&self) {
        self.notebooks.store(true, Ordering::Release);
    }

    pub(crate) fn framing(&self) -> Framing {
        if self.notebooks.load(Ordering::Acquire) { Framing::Notebooks } else { Framing::Nobody }
    }
}

fn put(notice: &Mutex<Notice>, text: String) {
    let mut notice = lock(notice);
    if *notice.text != *text {
        *notice = Notice { number: notice.number + 1, text: text.into() };
    }
}
