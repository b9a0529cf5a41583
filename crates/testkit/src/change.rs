//! Changes of a problem that must not change what is said of it.
//!
//! | change    | boxed problem                                       | friction problem                                      |
//! |-----------|-----------------------------------------------------|-------------------------------------------------------|
//! | `Units`   | rows and columns by powers of two                   | rows, motors and degrees of freedom by powers of two  |
//! | `Block`   | an independent problem beside it                    | other bodies with rows of their own                   |
//! | `Bounds`  | bounds that x is not at, further away               | bounds of motors that are not at them                 |
//! | `Order`   | rows and columns permuted                           | rows of every kind permuted                           |
//! | `Twice`   | a row with its column again                         | a contact again, to the bit                           |

use gudgeon_lcp::{Contact, GlobalForm, Mlcp, Row};

use crate::rng::Rng;

/// One kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Every row and every column in units of its own.
    Units,
    /// An independent block.
    Block,
    /// Wider bounds where nothing is at them.
    Bounds,
    /// Another order.
    Order,
    /// A contact given twice.
    Twice,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Units, Self::Block, Self::Bounds, Self::Order, Self::Twice];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Units => "units",
            Self::Block => "block",
            Self::Bounds => "bounds",
            Self::Order => "order",
            Self::Twice => "twice",
        }
    }

    /// A boxed problem with the answer x, changed; none where the change does not apply.
    pub fn of_boxed(self, p: &Mlcp, x: &[f64], other: &Mlcp, rng: &mut Rng) -> Option<Mlcp> {
        let n = p.n();
        let ones = vec![1.0; n + 1];
        let mut order: Vec<usize> = (0..n).collect();
        match self {
            Self::Units => {
                let mut unit = || rng.whole(-20, 20).exp2();
                let (r, c): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(), unit())).unzip();
                rearranged(p, &order, &r, &c)
            }
            Self::Order => {
                rng.shuffle(&mut order);
                rearranged(p, &order, &ones, &ones)
            }
            Self::Block => Some(beside(p, other)),
            Self::Bounds => wider(p, x),
            Self::Twice => {
                let k = rng.below(n);
                let plain = p.findex().iter().all(Option::is_none) && p.lo()[k] == 0.0;
                order.push(k);
                if plain && p.hi()[k] == f64::INFINITY { rearranged(p, &order, &ones, &ones) } else { None }
            }
        }
    }

    /// A friction problem with these impulses on its bounded rows, changed; none where the change does not apply.
    pub fn of_friction(
        self,
        form: &GlobalForm,
        bounded: &[f64],
        other: &GlobalForm,
        rng: &mut Rng,
    ) -> Option<GlobalForm> {
        let mut form = form.clone();
        match self {
            Self::Units => units(&mut form, rng),
            Self::Block => append(&mut form, other),
            Self::Bounds => {
                let mut any = false;
                for (row, &x) in form.bounded.iter_mut().zip(bounded) {
                    if row.lo < x && x < row.hi {
                        (row.lo, row.hi) = (row.lo * 1e10, row.hi * 1e10);
                        any = true;
                    }
                }
                any.then_some(())?;
            }
            Self::Order => {
                rng.shuffle(&mut form.contacts);
                rng.shuffle(&mut form.unilateral);
                rng.shuffle(&mut form.bounded);
                rng.shuffle(&mut form.equality);
            }
            Self::Twice => {
                let again = form.contacts.get(rng.below(form.contacts.len().max(1)))?.clone();
                form.contacts.push(again);
            }
        }
        Some(form)
    }
}

/// The rows and columns of `order`, rows by r and columns by c.
pub fn rearranged(p: &Mlcp, order: &[usize], r: &[f64], c: &[f64]) -> Option<Mlcp> {
    let n = order.len();
    let a: Vec<f64> = (0..n * n).map(|k| p.entry(order[k % n], order[k / n]) * r[k % n] * c[k / n]).collect();
    let b: Vec<f64> = (0..n).map(|i| p.b()[order[i]] * r[i]).collect();
    // a bound of friction is a factor of another impulse
    let place = |f: usize| order.iter().position(|&o| o == f).expect("all rows are there");
    let factor = |i: usize| p.findex()[order[i]].map_or(1.0, |f| c[place(f)]) / c[i];
    let lo: Vec<f64> = (0..n).map(|i| p.lo()[order[i]] * factor(i)).collect();
    let hi: Vec<f64> = (0..n).map(|i| p.hi()[order[i]] * factor(i)).collect();
    // a number that loses digits below the range of floats makes another problem
    let plain = r.iter().chain(c).all(|&v| v == 1.0);
    if !plain && a.iter().chain(&b).chain(&lo).chain(&hi).any(|v| v.is_subnormal()) {
        return None;
    }
    let findex = order.iter().map(|&o| p.findex()[o].map(place)).collect();
    Mlcp::from_column_major(a, b, lo, hi).ok()?.with_friction_index(findex).ok()
}

/// p and an independent problem beside it.
pub fn beside(p: &Mlcp, other: &Mlcp) -> Mlcp {
    let (n, k) = (p.n(), p.n() + other.n());
    let entry = |i: usize, j: usize| match (i < n, j < n) {
        (true, true) => p.entry(i, j),
        (false, false) => other.entry(i - n, j - n),
        _ => 0.0,
    };
    let a = (0..k * k).map(|e| entry(e % k, e / k)).collect();
    let join = |x: &[f64], y: &[f64]| [x, y].concat();
    let findex = p.findex().iter().copied().chain(other.findex().iter().map(|f| f.map(|f| f + n))).collect();
    Mlcp::from_column_major(a, join(p.b(), other.b()), join(p.lo(), other.lo()), join(p.hi(), other.hi()))
        .and_then(|joined| joined.with_friction_index(findex))
        .expect("two problems are one")
}

/// The bounds that x is not at 1e12 times as far; none where rows follow others.
pub fn wider(p: &Mlcp, x: &[f64]) -> Option<Mlcp> {
    let n = p.n();
    let wide = |bound: f64, at: bool| if at || bound == 0.0 { bound } else { bound * 1e12 };
    let lo = (0..n).map(|i| wide(p.lo()[i], p.lo()[i] >= x[i] || p.lo()[i] > 0.0)).collect();
    let hi = (0..n).map(|i| wide(p.hi()[i], p.hi()[i] <= x[i] || p.hi()[i] < 0.0)).collect();
    let plain = p.findex().iter().all(Option::is_none);
    plain.then(|| Mlcp::from_column_major(p.a().to_vec(), p.b().to_vec(), lo, hi).ok()).flatten()
}

/// Rows by powers of two, v = c v′ with c powers of two: W, q and the bounds of motors follow.
fn units(form: &mut GlobalForm, rng: &mut Rng) {
    let c: Vec<f64> = form.free_velocity.iter().map(|_| rng.whole(-10, 10).exp2()).collect();
    let scale = |row: &mut Row, s: f64| {
        row.bias *= s;
        row.entries.iter_mut().for_each(|(j, v)| *v *= s * c[*j]);
    };
    for Contact { normal, tangents: [t1, t2], .. } in &mut form.contacts {
        let s = rng.whole(-10, 10).exp2();
        for row in [normal, t1, t2] {
            scale(row, s);
        }
    }
    let rows = form.unilateral.iter_mut().chain(&mut form.equality);
    rows.for_each(|row| scale(row, rng.whole(-10, 10).exp2()));
    for bounded in &mut form.bounded {
        let s = rng.whole(-10, 10).exp2();
        scale(&mut bounded.row, s);
        (bounded.lo, bounded.hi) = (bounded.lo / s, bounded.hi / s);
    }
    let mut first = 0;
    for (size, block) in &mut form.mass {
        let own = &c[first..first + *size];
        block.iter_mut().enumerate().for_each(|(e, m)| *m *= own[e % *size] * own[e / *size]);
        first += *size;
    }
    form.free_velocity.iter_mut().zip(&c).for_each(|(v, c)| *v /= c);
}

/// Other bodies with their own rows.
fn append(form: &mut GlobalForm, other: &GlobalForm) {
    let first = form.free_velocity.len();
    let mut other = other.clone();
    let contacts = other.contacts.iter_mut().flat_map(|c| {
        let [t1, t2] = &mut c.tangents;
        [&mut c.normal, t1, t2]
    });
    let rows = contacts.chain(&mut other.unilateral).chain(&mut other.equality);
    for row in rows.chain(other.bounded.iter_mut().map(|b| &mut b.row)) {
        row.entries.iter_mut().for_each(|(j, _)| *j += first);
    }
    form.mass.append(&mut other.mass);
    form.free_velocity.append(&mut other.free_velocity);
    form.contacts.append(&mut other.contacts);
    form.equality.append(&mut other.equality);
    form.unilateral.append(&mut other.unilateral);
    form.bounded.append(&mut other.bounded);
}
