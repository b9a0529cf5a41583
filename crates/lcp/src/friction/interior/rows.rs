//! The rows by blocks, and 1 + Aᵀ D⁻¹ A of them, factorised in its envelope.

use super::algebra::Scaling;
use super::{Block, Interior};
use crate::friction::envelope::Envelope;
use crate::friction::system::System;

impl Interior {
    /// The rows of round blocks over the places any of the three has.
    pub(super) fn gather(&mut self, system: &System) {
        self.places.clear();
        self.reach.clear();
        self.values.clear();
        self.envelope.clear(system.width());
        for &block in &self.blocks {
            let first = self.places.len();
            self.reach.push((first, self.values.len()));
            match block {
                Block::Round(k) => {
                    for row in k..k + 3 {
                        self.places.extend(system.runs(row).map(|(at, v)| (at, v.len())));
                    }
                    let own = &mut self.places[first..];
                    own.sort_unstable();
                    // runs that touch or overlap are one
                    let mut kept = 0;
                    for at in 1..own.len() {
                        let (start, len) = own[at];
                        let (before, length) = own[kept];
                        if start <= before + length {
                            own[kept].1 = length.max(start + len - before);
                        } else {
                            kept += 1;
                            own[kept] = own[at];
                        }
                    }
                    let count = if own.is_empty() { 0 } else { kept + 1 };
                    self.places.truncate(first + count);
                    let own = &self.places[first..];
                    let total: usize = own.iter().map(|p| p.1).sum();
                    for row in k..k + 3 {
                        let base = self.values.len();
                        self.values.resize(base + total, 0.0);
                        for (at, values) in system.runs(row) {
                            let mut offset = base;
                            for &(start, len) in own {
                                if (start..start + len).contains(&at) {
                                    offset += at - start;
                                    break;
                                }
                                offset += len;
                            }
                            for (out, v) in self.values[offset..].iter_mut().zip(values) {
                                *out = v * self.factor[row];
                            }
                        }
                    }
                }
                Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => {
                    self.places.extend(system.runs(k).map(|(at, v)| (at, v.len())));
                    let own = &self.places[first..];
                    let total: usize = own.iter().map(|p| p.1).sum();
                    let base = self.values.len();
                    self.values.resize(base + total, 0.0);
                    let mut offset = base;
                    for (_, values) in system.runs(k) {
                        self.values[offset..offset + values.len()].copy_from_slice(values);
                        offset += values.len();
                    }
                }
            }
            let own = &self.places[first..];
            if let Some(&(lo, _)) = own.first() {
                for &(at, len) in own {
                    self.envelope.reach(lo, at, at + len);
                }
            }
        }
        self.reach.push((self.places.len(), self.values.len()));
    }

    /// D of every block, and 1 + Aᵀ D⁻¹ A factorised.
    pub(super) fn scale_and_factor(&mut self) -> bool {
        self.envelope.open();
        for (at, &block) in self.blocks.iter().enumerate() {
            let ((first, from), (last, to)) = (self.reach[at], self.reach[at + 1]);
            let own = &self.places[first..last];
            let values = &self.values[from..to];
            match block {
                Block::Round(k) => {
                    let scaling = Scaling::new(&self.x[k..k + 3], &self.s[k..k + 3]);
                    self.scalings[at] = scaling;
                    let len = values.len() / 3;
                    for axis in 0..3 {
                        let mut unit = [0.0; 3];
                        unit[axis] = 1.0;
                        let p = scaling.back(scaling.stretch(unit, true));
                        self.combined.clear();
                        let parts = (&values[..len], &values[len..2 * len], &values[2 * len..]);
                        self.combined.extend(
                            (0..len).map(|c| p[0] * parts.0[c] + p[1] * parts.1[c] + p[2] * parts.2[c]),
                        );
                        add(&mut self.envelope, own, &self.combined);
                    }
                }
                Block::Half(_) | Block::Boxed(..) | Block::Free(_) => {
                    let f = 1.0 / self.diagonal(block).sqrt();
                    self.combined.clear();
                    self.combined.extend(values.iter().map(|v| f * v));
                    add(&mut self.envelope, own, &self.combined);
                }
            }
        }
        self.envelope.factor(1.0)
    }
}

fn add(envelope: &mut Envelope, places: &[(usize, usize)], values: &[f64]) {
    let runs = places.iter().scan(0, |at, &(place, len)| {
        let from = *at;
        *at += len;
        Some((place, &values[from..from + len]))
    });
    envelope.add(&runs);
}
