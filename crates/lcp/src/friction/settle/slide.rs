//! The sliding contacts of a settled step: a small dense system, once the sticking rows have answered.
//!
//! ```text
//!     S α = −ρ,   S = Rᵀ Π² C + diag(c)       Π = ε (H + ε)⁻¹, what the sticking rows leave of a push
//!     Rᵀ Π² C = (Π R)ᵀ (Π C)                  so one solve per row does, and what is left is a sum of squares
//! ```
//!
//! Π is applied to the three rows of every sliding contact, all at once; the directions of the slips, which turn from
//! step to step, only combine what is there already. Twice, because what the first Π leaves of the sticking directions
//! is rounding, a millionth, and would pass for freedom.
//!
//! Four corners of a sliding face say three things. How they share their load decides how the face turns, and Coulomb's law leaves
//! it open: taken is the share of equal small compliances, in the limit, so that the motion is a function of the state alone.
//!
//! | symbol | code       | shape                                                    |
//! |--------|------------|----------------------------------------------------------|
//! | Π a    | `columns`  | width × m, by degree of freedom; m = 3 per contact       |
//! | aᵀ Π² a| `coupling` | m × m                                                    |
//! | C, R, c| `Slide`    | one or two per contact                                   |
//! | S      | `s`        | one or two per contact, squared                          |

use super::rank::{factor, solve_rank, substitute};
use super::share::{LANES, Shares};
use super::{Faceted, SHIFT};
use crate::friction::envelope::Envelope;
use crate::friction::system::System;
use crate::kernel::gram;
use crate::problem::ContactMode;

/// Rows of sliding contacts that are solved for densely; more are left to what comes after: at 900, 600 unknowns take
/// about 30 ms.
const MOST: usize = 900;

/// Unknowns up to which loads that nothing determines are shared evenly: 24 contacts. It costs another solve, and piles have other shares.
const SHARED: usize = 48;

/// A sliding unknown: what it does to the three impulses of its contact, and the row that tests it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slide {
    pub(super) contact: usize,
    place: usize, // among the sliding contacts
    pub(super) column: [f64; 3],
    pub(super) row: [f64; 3],
    compliance: f64,
}

/// The unknowns with the memory of their solution.
#[derive(Debug, Clone, Default)]
pub(super) struct Sliding {
    contacts: Vec<usize>,
    /// As listed last.
    pub(super) unknowns: Vec<Slide>,
    /// As solved last.
    pub(super) alpha: Vec<f64>,
    columns: Vec<f64>,
    coupling: Vec<f64>,
    s: Vec<f64>,
    order: Vec<usize>,    // of the pivots
    factored: Vec<usize>, // places of the unknowns that the factors are of
    regular: bool,        // `s` holds factors; of a small system it always does
    alone: bool,          // nothing sticks, and cones are round
    shared: bool,         // loads were shared since the last projection
    shares: Shares,       // of a small system: what its factors say of its rank
}

impl Sliding {
    /// Room for any modes of so many contacts.
    pub(super) fn reserve(&mut self, contacts: usize, width: usize) {
        let rows = MOST.min(3 * contacts);
        self.clear();
        self.unknowns.reserve(rows);
        self.contacts.reserve(contacts);
        self.order.reserve(rows);
        self.factored.reserve(rows);
        for (v, room) in [
            (&mut self.alpha, rows),
            (&mut self.columns, rows * width),
            (&mut self.coupling, rows * rows),
            (&mut self.s, rows * (rows + LANES)),
        ] {
            v.clear();
            v.reserve(room);
        }
        self.shares.reserve(SHARED.min(rows));
    }

    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.unknowns.clear();
        self.factored.clear();
        self.alpha.clear();
    }

    /// Projects the rows of the contacts that slide; `still` is the factorised H, where anything is still. False if there
    /// are too many of them.
    pub(super) fn project(&mut self, system: &System, modes: &[Faceted], still: Option<&Envelope>) -> bool {
        self.clear();
        (self.alone, self.shared) = (still.is_none(), false);
        self.contacts.extend((0..system.n).filter(|&i| modes[i].mode == ContactMode::Slip));
        let m = 3 * self.contacts.len();
        if m > MOST {
            return false;
        }
        self.columns.clear();
        self.columns.resize(m * system.width(), 0.0);
        for (place, &i) in self.contacts.iter().enumerate() {
            for part in 0..3 {
                let c = 3 * place + part;
                for (at, values) in system.runs(3 * i + part) {
                    for (k, v) in values.iter().enumerate() {
                        self.columns[(at + k) * m + c] = *v;
                    }
                }
            }
        }
        if let Some(envelope) = still.filter(|_| m > 0) {
            envelope.solve_many(&mut self.columns, m, SHIFT);
        }
        self.coupling.clear();
        self.coupling.resize(m * m, 0.0);
        gram(&self.columns, m, &mut self.coupling);
        true
    }

    /// Whether the system is solved by factors that tell its rank.
    pub(super) fn is_small(&self) -> bool {
        self.unknowns.len() <= SHARED
    }

    /// The unknowns at the present impulses and velocities. Factors are `kept` where they may be: rows that test unknowns are those of the present
    /// directions always, or a step would lead back to where the factors were made.
    pub(super) fn list(
        &mut self,
        system: &System,
        modes: &[Faceted],
        round: bool,
        r: &[f64],
        u: &[f64],
        kept: bool,
    ) {
        self.unknowns.clear();
        for (place, &i) in self.contacts.iter().enumerate() {
            let Faceted { mode: ContactMode::Slip, along: (a, b) } = modes[i] else { continue };
            let at = 3 * i;
            let mu = system.mu[i];
            let normal = [1.0, 0.0, 0.0];
            let mut push = |column: [f64; 3], row: [f64; 3], compliance: f64| {
                self.unknowns.push(Slide { contact: i, place, column, row, compliance });
            };
            if !round {
                let [c, s] = system.dirs[i * system.d + usize::from(a)];
                push([1.0, mu * c, mu * s], normal, 0.0);
                if a != b {
                    let [c2, s2] = system.dirs[i * system.d + usize::from(b)];
                    let edge = [0.0, c2 - c, s2 - s];
                    push(edge, edge, 0.0);
                }
                continue;
            }
            let ([t1, t2], [u1, u2]) = ([r[at + 1], r[at + 2]], [u[at + 1], u[at + 2]]);
            let size = (t1 * t1 + t2 * t2).sqrt();
            if size == 0.0 {
                // no direction yet: against the slip
                let speed = (u1 * u1 + u2 * u2).sqrt().max(f64::MIN_POSITIVE);
                push([1.0, -mu * u1 / speed, -mu * u2 / speed], normal, 0.0);
                continue;
            }
            let e = [t1 / size, t2 / size];
            let speed = -(e[0] * u1 + e[1] * u2);
            push([1.0, mu * e[0], mu * e[1]], normal, 0.0);
            let across = [0.0, -e[1], e[0]];
            push(across, across, (speed / size).max(0.0));
        }
        let n = self.unknowns.len();
        let places = self.unknowns.iter().map(|slide| slide.place);
        if kept && places.clone().eq(self.factored.iter().copied()) {
            return;
        }
        self.factored.clear();
        self.factored.extend(places);
        if n > SHARED {
            self.fill(n);
            self.regular = factor(&mut self.s, n, &mut self.order);
            return;
        }
        let stride = n.next_multiple_of(LANES).max(LANES);
        self.fill(stride);
        self.shares.factor(&mut self.s, n, stride);
        if self.alone && self.shares.is_deficient() {
            let unknowns = &self.unknowns;
            self.shares.find_freedom(&self.s, |k| unknowns[k].row[0] != 0.0);
        }
    }

    /// S, by rows of `stride`.
    fn fill(&mut self, stride: usize) {
        let (m, n) = (3 * self.contacts.len(), self.unknowns.len());
        self.s.clear();
        self.s.resize(n * stride, 0.0);
        for (c, slide) in self.unknowns.iter().enumerate() {
            // what the unknown does to every row: the coupling is symmetric
            let of =
                |part: usize| &self.coupling[(3 * slide.place + part) * m..(3 * slide.place + part + 1) * m];
            let ([a, b, d], (x, y, z)) = (slide.column, (of(0), of(1), of(2)));
            let mut others = self.unknowns.iter().enumerate().peekable();
            let blocks = x.chunks_exact(3).zip(y.chunks_exact(3)).zip(z.chunks_exact(3));
            for (place, ((x, y), z)) in blocks.enumerate() {
                let t: [f64; 3] = std::array::from_fn(|k| a * x[k] + b * y[k] + d * z[k]);
                while let Some((r, other)) = others.next_if(|(_, other)| other.place == place) {
                    self.s[r * stride + c] = other.row[0] * t[0] + other.row[1] * t[1] + other.row[2] * t[2];
                }
            }
            self.s[c * stride + c] += slide.compliance;
        }
    }

    /// From now on loads stay where they are; answers whether any were shared.
    pub(super) fn stop_sharing(&mut self) -> bool {
        self.alone = false;
        self.shared
    }

    /// α for the unknowns as listed; `g` is what the sticking rows take away by themselves, if any are there.
    pub(super) fn solve(&mut self, system: &System, r: &[f64], u: &[f64], g: Option<&[f64]>) {
        self.alpha.clear();
        for slide in &self.unknowns {
            let at = 3 * slide.contact;
            let mut rho = 0.0;
            for part in (0..3).filter(|&p| slide.row[p] != 0.0) {
                rho += slide.row[part] * (u[at + part] - g.map_or(0.0, |g| system.velocity(at + part, g)));
            }
            self.alpha.push(-rho);
        }
        let m = self.unknowns.len();
        if m <= SHARED {
            self.shares.solve(&self.s, &mut self.alpha);
            if self.alone && self.shares.is_deficient() {
                let unknowns = &self.unknowns;
                self.shares.share(|k| r[3 * unknowns[k].contact], &mut self.alpha);
                self.shared = true;
            }
        } else if self.regular {
            substitute(&self.s, &self.order, &mut self.alpha);
        } else {
            // the factors have spoilt it
            self.fill(m);
            solve_rank(&mut self.s, m, &mut self.alpha, &mut self.order);
        }
    }

    /// y += C α.
    pub(super) fn push(&self, system: &System, y: &mut [f64]) {
        for (slide, &f) in self.unknowns.iter().zip(&self.alpha).filter(|(_, f)| **f != 0.0) {
            for part in (0..3).filter(|&p| slide.column[p] != 0.0) {
                system.impel(3 * slide.contact + part, f * slide.column[part], y);
            }
        }
    }

    /// The impulses with α added.
    pub(super) fn add_to(&self, r: &mut [f64]) {
        for (slide, &f) in self.unknowns.iter().zip(&self.alpha) {
            for part in 0..3 {
                r[3 * slide.contact + part] += f * slide.column[part];
            }
        }
    }

    /// How far the rows of the unknowns are from rest.
    pub(super) fn unsolved(&self, u: &[f64]) -> f64 {
        self.unknowns.iter().fold(0.0, |m: f64, s| {
            let u = &u[3 * s.contact..3 * s.contact + 3];
            m.max((s.row[0] * u[0] + s.row[1] * u[1] + s.row[2] * u[2]).abs())
        })
    }
}
