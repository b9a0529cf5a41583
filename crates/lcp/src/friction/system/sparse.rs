//! Rows and columns as runs of neighbouring entries.

/// Sparse vectors, one after another, each a few runs of neighbouring entries: a free body is a run of six.
#[derive(Debug, Clone, Default)]
pub(super) struct Sparse {
    pub(super) start: Vec<usize>,                // by vector: its first run
    pub(super) runs: Vec<(usize, usize, usize)>, // first entry of the dense vector, first and last value
    pub(super) value: Vec<f64>,
}

impl Sparse {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.runs.clear();
        self.value.clear();
    }

    /// Adds an entry to the vector under construction, in order.
    pub(super) fn push(&mut self, index: usize, value: f64) {
        let first = *self.start.last().expect("cleared before use");
        let end = self.value.len();
        self.value.push(value);
        if self.runs.len() > first
            && let Some((at, from, to)) = self.runs.last_mut()
            && *at + (end - *from) == index
        {
            *to = end + 1;
        } else {
            self.runs.push((index, end, end + 1));
        }
    }

    /// A whole vector, its places ascending.
    pub(super) fn push_row(&mut self, index: &[usize], value: &[f64]) {
        let mut from = self.value.len();
        self.value.extend_from_slice(value);
        let mut at = 0;
        while at < index.len() {
            let mut end = at + 1;
            while end < index.len() && index[end] == index[at] + (end - at) {
                end += 1;
            }
            self.runs.push((index[at], from, from + end - at));
            from += end - at;
            at = end;
        }
        self.close();
    }

    /// A whole vector with the places of the one before it.
    pub(super) fn push_beside(&mut self, value: &[f64]) {
        let count = self.start.len();
        let (first, last) = (self.start[count - 2], self.start[count - 1]);
        let end = self.value.len();
        self.value.extend_from_slice(value);
        if let Some(&(_, begin, _)) = self.runs[first..last].first() {
            for k in first..last {
                let (at, from, to) = self.runs[k];
                self.runs.push((at, from - begin + end, to - begin + end));
            }
        }
        self.close();
    }

    pub(super) fn close(&mut self) {
        self.start.push(self.runs.len());
    }

    /// The runs of a vector.
    #[inline]
    pub(super) fn runs_of(&self, k: usize) -> &[(usize, usize, usize)] {
        &self.runs[self.start[k]..self.start[k + 1]]
    }

    /// The values of a vector.
    pub(super) fn values(&self, k: usize) -> std::ops::Range<usize> {
        let (first, last) = (self.start[k], self.start[k + 1]);
        if first == last { 0..0 } else { self.runs[first].1..self.runs[last - 1].2 }
    }

    #[inline]
    pub(super) fn add(&self, k: usize, f: f64, y: &mut [f64]) {
        for &(at, from, to) in self.runs_of(k) {
            let value = &self.value[from..to];
            let y = &mut y[at..at + value.len()];
            if let (Ok(value), Ok(y)) = (<&[f64; 6]>::try_from(value), <&mut [f64; 6]>::try_from(&mut *y)) {
                for i in 0..6 {
                    y[i] += f * value[i];
                }
            } else {
                crate::kernel::axpy(f, value, y);
            }
        }
    }

    #[inline]
    pub(super) fn dot(&self, k: usize, y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &(at, from, to) in self.runs_of(k) {
            let value = &self.value[from..to];
            let y = &y[at..at + value.len()];
            if let (Ok(v), Ok(y)) = (<&[f64; 6]>::try_from(value), <&[f64; 6]>::try_from(y)) {
                sum +=
                    ((v[0] * y[0] + v[3] * y[3]) + (v[1] * y[1] + v[4] * y[4])) + (v[2] * y[2] + v[5] * y[5]);
            } else {
                sum += crate::kernel::dot(value, y);
            }
        }
        sum
    }

    /// Multiplies every value by a factor of its vector.
    pub(super) fn scale_each(&mut self, factors: &[f64]) {
        for (k, factor) in factors.iter().enumerate() {
            let range = self.values(k);
            self.value[range].iter_mut().for_each(|v| *v *= factor);
        }
    }

    /// Multiplies every value by a factor of its vector and one of its place.
    pub(super) fn scale(&mut self, factor: impl Fn(usize, usize) -> f64) {
        for k in 0..self.start.len() - 1 {
            for &(at, from, to) in &self.runs[self.start[k]..self.start[k + 1]] {
                for v in from..to {
                    self.value[v] *= factor(k, at + v - from);
                }
            }
        }
    }
}
