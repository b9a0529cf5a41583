//! Collision detection shared between threads that wait from step to step.
//!
//! The broad phase lists the pairs; each thread takes a run of them with a workspace of its own, and the contacts are
//! put together in the order of the pairs. The contacts of a pair depend on its two poses alone, so the answer is the
//! same to the bit for any number of threads.
//!
//! ```text
//!     step        broad ─► hand over ─► narrow (first run) ─► take back, in order
//!     thread k              └───────►  narrow (run k)    ───┘
//! ```
//! What a thread needs is moved to it and back, not borrowed: threads outlive the step, and a warm step allocates
//! nothing.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use gudgeon_collide::{Aabb, CollisionWorkspace, ContactPoint, Geometry, Near};
use nalgebra::Isometry3;

/// Pairs that make another thread worth waking: a pair takes a microsecond or two, waking and waiting some twenty.
const PAIRS_PER_THREAD: usize = 64;

/// Which contacts are sought: pairs farther apart than the sum of what `reach` says of their bodies, or than `closing` says of
/// the two, may be left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought<R, C> {
    /// The largest gap, metres.
    pub(crate) margin: f64,
    pub(crate) reach: R,
    pub(crate) closing: C,
}

/// Collision detection, alone or with others.
#[derive(Debug, Default)]
pub(crate) struct Crew {
    workspace: CollisionWorkspace,
    hands: Vec<Hand>,
}

impl Clone for Crew {
    /// Threads are not copied; the copy starts its own when it needs them.
    fn clone(&self) -> Self {
        Self { workspace: self.workspace.clone(), hands: Vec::new() }
    }
}

impl Crew {
    /// See [`CollisionWorkspace::surface_pairs`].
    pub(crate) fn surface_pairs<'a>(
        &'a self,
        geometry: &'a Geometry,
    ) -> impl Iterator<Item = ([Option<usize>; 2], Near, Aabb)> + 'a {
        self.workspace.surface_pairs(geometry)
    }

    /// Every contact that is sought into `out`, on up to `threads` threads.
    pub(crate) fn contacts(
        &mut self,
        geometry: &Arc<Geometry>,
        poses: &[Isometry3<f64>],
        Sought { margin, reach, closing }: Sought<
            impl Fn(Option<usize>) -> f64,
            impl Fn(Option<usize>, Option<usize>, Option<&Aabb>) -> Near,
        >,
        threads: usize,
        out: &mut Vec<ContactPoint>,
    ) {
        out.clear();
        let pairs = self.workspace.broad_within(geometry, poses, reach, closing).pairs;
        let helpers = threads.saturating_sub(1).min(pairs / PAIRS_PER_THREAD);
        while self.hands.len() < helpers {
            self.hands.push(Hand::new(geometry));
        }
        let run = pairs.div_ceil(helpers + 1).max(1);
        let end = |k: usize| (k * run).min(pairs);
        for (k, hand) in self.hands[..helpers].iter_mut().enumerate() {
            hand.give(|job| {
                job.margin = margin;
                job.pairs = end(k + 2) - end(k + 1);
                self.workspace.hand_over(end(k + 1)..end(k + 2), &mut job.workspace);
            });
        }
        self.workspace.narrow(geometry, 0..end(1), margin, out);
        for (k, hand) in self.hands[..helpers].iter_mut().enumerate() {
            let job = hand.take_back();
            out.extend_from_slice(&job.out);
            self.workspace.learn(end(k + 1)..end(k + 2), &job.workspace);
        }
    }
}

/// A run of pairs and what it takes to answer it.
#[derive(Debug)]
struct Job {
    geometry: Arc<Geometry>,
    workspace: CollisionWorkspace,
    pairs: usize,
    margin: f64,
    out: Vec<ContactPoint>,
}

/// Where a job is.
#[derive(Debug)]
enum Desk {
    Empty,
    Given(Box<Job>),
    Done(Box<Job>),
    /// The simulator or the thread is gone.
    Closed,
}

#[derive(Debug)]
struct Shared {
    desk: Mutex<Desk>,
    bell: Condvar,
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // the lock is held for a swap only; there is nothing half done to see
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, state: Desk) {
        *self.desk() = state;
        self.bell.notify_all();
    }

    /// Waits until the desk holds what `wanted` picks.
    fn wait(&self, wanted: impl Fn(Desk) -> Result<Box<Job>, Desk>) -> Option<Box<Job>> {
        let mut desk = self.desk();
        loop {
            match wanted(std::mem::replace(&mut *desk, Desk::Empty)) {
                Ok(job) => return Some(job),
                Err(Desk::Closed) => {
                    *desk = Desk::Closed;
                    return None;
                }
                Err(other) => *desk = other,
            }
            desk = self.bell.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A thread with its desk.
#[derive(Debug)]
struct Hand {
    shared: Arc<Shared>,
    job: Option<Box<Job>>, // none while the thread has it
    thread: Option<JoinHandle<()>>,
}

impl Hand {
    fn new(geometry: &Arc<Geometry>) -> Self {
        let shared = Arc::new(Shared { desk: Mutex::new(Desk::Empty), bell: Condvar::new() });
        let job = Job {
            geometry: Arc::clone(geometry),
            workspace: CollisionWorkspace::new(),
            pairs: 0,
            margin: 0.0,
            out: Vec::new(),
        };
        let desk = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let _closing = Closing(&desk);
            let given = |desk| if let Desk::Given(job) = desk { Ok(job) } else { Err(desk) };
            while let Some(mut job) = desk.wait(given) {
                let Job { geometry, workspace, pairs, margin, out } = &mut *job;
                out.clear();
                workspace.narrow(geometry, 0..*pairs, *margin, out);
                desk.put(Desk::Done(job));
            }
        });
        Self { shared, job: Some(Box::new(job)), thread: Some(thread) }
    }

    fn give(&mut self, fill: impl FnOnce(&mut Job)) {
        let mut job = self.job.take().expect("the job is taken back in every step");
        fill(&mut job);
        self.shared.put(Desk::Given(job));
    }

    fn take_back(&mut self) -> &Job {
        let done = |desk| if let Desk::Done(job) = desk { Ok(job) } else { Err(desk) };
        let job = self.shared.wait(done).expect("a thread of collision detection has panicked");
        self.job.insert(job)
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.shared.put(Desk::Closed);
        if let Some(thread) = self.thread.take() {
            // a thread that panicked has said so already
            let _ = thread.join();
        }
    }
}

/// Closes the desk when its thread ends, also by a panic: nobody waits for a thread that is gone.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.put(Desk::Closed);
    }
}

#[cfg(test)]
mod tests {
    use gudgeon_collide::{Collider, Shape};

    use super::*;

    #[test]
    fn any_number_of_threads_finds_the_same_contacts() {
        let mut geometry = Geometry::new();
        geometry.add(Collider::fixed(Shape::plane()));
        let n = 5 * PAIRS_PER_THREAD;
        let mut poses = Vec::new();
        for k in 0..n {
            geometry.add(Collider::new(Shape::cuboid(0.1, 0.07, 0.05).unwrap(), k));
            let k = k as f64;
            poses.push(Isometry3::new([k, 0.0, 0.05].into(), [1e-3 * k.sin(), 1e-3 * k.cos(), k].into()));
        }
        let geometry = Arc::new(geometry);
        let found = |crew: &mut Crew, threads| {
            let mut out = Vec::new();
            let all = |_, _, _: Option<&Aabb>| Near::within(f64::INFINITY);
            let sought = Sought { margin: 0.01, reach: |_| 0.005, closing: all };
            crew.contacts(&geometry, &poses, sought, threads, &mut out);
            out
        };
        let mut crew = Crew::default();
        let alone = found(&mut crew, 1);
        assert!(alone.len() >= n && crew.hands.is_empty());
        for threads in [2, 3, 5, 2, 64] {
            assert_eq!(found(&mut crew, threads), alone, "{threads} threads");
        }
        assert_eq!(crew.hands.len(), 5, "as many as the pairs are worth");
        assert_eq!(found(&mut crew.clone(), 3), alone);
    }
}
