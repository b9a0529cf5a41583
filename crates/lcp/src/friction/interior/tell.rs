//! Modes from an interior iterate: of two complements one tends to zero.

use super::{Block, Interior};
use crate::friction::settle::{Hold, Mode};
use crate::friction::system::System;

impl Interior {
    /// What is compared with its complement to tell modes: for a round block the eigenvalues of x (large, small) and of
    /// s (small, large); else x, its room, s and w₂.
    fn signs(&self, block: Block) -> [f64; 4] {
        match block {
            Block::Round(k) => {
                let ends = |v: &[f64]| {
                    let size = (v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]).sqrt();
                    (v[k] - size, v[k] + size)
                };
                let ((x_least, x_most), (s_least, s_most)) = (ends(&self.x), ends(&self.s));
                [x_most, x_least, s_least, s_most]
            }
            Block::Half(k) | Block::Free(k) => [self.x[k], 1.0, self.s[k], 0.0],
            Block::Boxed(k, room) => [self.x[k], room - self.x[k], self.s[k], self.upper[k]],
        }
    }

    pub(super) fn mark(&mut self) {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend(self.blocks.iter().map(|&block| self.signs(block)));
        self.marks = marks;
    }

    /// The impulses, scaled, and what each row does: of two complements the larger one counts, or, by `trend`, the one
    /// that shrank less since [`Interior::run`] was called. On the way to an answer one of them tends to zero and the
    /// other stays (the indicators of Tapia), however small it is.
    pub(crate) fn tell(
        &self,
        system: &System,
        trend: bool,
        r: &mut Vec<f64>,
        modes: &mut [Mode],
        holds: &mut [Hold],
    ) {
        r.clear();
        r.extend(self.x.iter().zip(&self.factor).map(|(x, f)| x * f));
        for (at, &block) in self.blocks.iter().enumerate() {
            let mut now = self.signs(block);
            if trend {
                for (now, mark) in now.iter_mut().zip(self.marks[at]) {
                    *now /= mark.max(f64::MIN_POSITIVE);
                }
            }
            let [x, x_other, s, s_other] = now;
            match block {
                Block::Round(k) => {
                    modes[k / 3] = match (x > s, x_other > s_other) {
                        (true, true) => Mode::Stick,
                        (true, false) => Mode::Slip(0, 0),
                        (false, _) => Mode::Open,
                    };
                    if modes[k / 3] == Mode::Open {
                        r[k..k + 3].fill(0.0);
                    }
                }
                Block::Half(k) => {
                    let pressed = x > s;
                    if k < 3 * system.n {
                        modes[k / 3] = if pressed { Mode::Stick } else { Mode::Open };
                    } else {
                        holds[k - 3 * system.n] = if pressed { Hold::Free } else { Hold::Lo };
                    }
                    if !pressed {
                        r[k] = 0.0;
                    }
                }
                Block::Boxed(k, room) => {
                    let (hold, value) = if s > x {
                        (Hold::Lo, 0.0)
                    } else if s_other > x_other {
                        (Hold::Hi, room)
                    } else {
                        (Hold::Free, self.x[k])
                    };
                    holds[k - 3 * system.n] = hold;
                    r[k] = value;
                }
                Block::Free(k) => holds[k - 3 * system.n] = Hold::Free,
            }
        }
    }
}
