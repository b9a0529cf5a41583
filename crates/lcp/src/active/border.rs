//! Factors of one set, used for another that differs from it in a few rows.
//!
//! With B the set of the factors, N the rows that have come in and R those that have gone, the unknowns of R are held at
//! zero by forces s and those of N are added [Bisschop and Meeraus 1977]:
//!
//! ```text
//!     ⎡ A_BB  A_BN  E_R ⎤ ⎡ y ⎤   ⎡ r_B ⎤
//!     ⎢ A_NB  A_NN   0  ⎥ ⎢ x ⎥ = ⎢ r_N ⎥       Z = A_BB⁻¹ (A_BN  E_R),   P = A_:B Z
//!     ⎣ E_Rᵀ   0     0  ⎦ ⎣ s ⎦   ⎣  0  ⎦
//!
//!     S t = (r_N − A_NB y₀, −y₀_R),      y₀ = A_BB⁻¹ r_B,      y = y₀ − Z t,      t = (x, s)
//! ```
//!
//! S has a row and a column for every row that differs, and its entries are read from P, Z and A. Each such row costs one
//! solve and one product when it first differs; the factors are made anew when that would cost more.
//!
//! | above | here            | shape |
//! |-------|-----------------|-------|
//! | Z     | `Item::z`       | n each, 0 outside of B |
//! | P     | `Item::p`       | n each |
//! | S     | `lu`, factorised | c × c |

use crate::lu::Lu;
use crate::outcome::Side;

use super::View;
use super::base::Base;

/// Rows that are ever bordered.
pub(super) const MOST: usize = 64;

/// A row that differs, and what it costs to have it differ.
#[derive(Debug, Clone, Default)]
struct Item {
    row: usize,
    z: Vec<f64>,
    p: Vec<f64>,
    column: Vec<f64>, // of A, where the row came in; empty where it went
}

/// The rows in which a set differs from that of the factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Border {
    items: Vec<Item>,
    spare: Vec<Item>,
    lu: Lu,
    rhs: Vec<f64>,
    product: Vec<f64>,
    right: Vec<f64>,
}

impl Border {
    pub(super) fn clear(&mut self) {
        self.spare.append(&mut self.items);
    }

    /// Room for as many rows as are ever bordered on a dense matrix of this size.
    pub(super) fn reserve(&mut self, n: usize) {
        let most = (n / 4).min(MOST);
        self.clear();
        self.items.reserve(most);
        self.spare.reserve(most.saturating_sub(self.spare.len()));
        while self.spare.len() < most {
            self.spare.push(Item::default());
        }
        for item in &mut self.spare {
            for v in [&mut item.z, &mut item.p, &mut item.column] {
                v.clear();
                v.reserve(n);
            }
        }
        self.lu.reserve(most);
        for v in [&mut self.rhs, &mut self.product, &mut self.right] {
            v.clear();
            v.reserve(n);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Makes the factors of `base` serve these sides; false if they are to be made anew.
    pub(super) fn fit(&mut self, base: &mut Base, view: &View<'_>, sides: &[Side]) -> bool {
        let differs = |i: usize| (sides[i] == Side::Free) != base.place(i).is_some();
        if !base.is_factored() || (base.set().is_empty() && sides.contains(&Side::Free)) {
            self.clear();
            return false;
        }
        let count = (0..view.n()).filter(|&i| differs(i)).count();
        if count > base.worth() {
            self.clear();
            return false;
        }
        // items that differ no more go back to the pool
        let mut k = 0;
        while k < self.items.len() {
            if differs(self.items[k].row) {
                k += 1;
            } else {
                let item = self.items.remove(k);
                self.spare.push(item);
            }
        }
        for i in 0..view.n() {
            let differs = (sides[i] == Side::Free) != base.place(i).is_some();
            if differs && self.items.iter().all(|item| item.row != i) {
                self.add(base, view.n(), i);
            }
        }
        self.factor(base)
    }

    fn add(&mut self, base: &mut Base, n: usize, row: usize) {
        let mut item = self.spare.pop().unwrap_or_default();
        item.row = row;
        item.z.clear();
        item.z.resize(n, 0.0);
        item.column.clear();
        if base.place(row).is_some() {
            item.z[row] = 1.0;
        } else {
            item.column.resize(n, 0.0);
            base.column(row, &mut item.column);
            item.z.copy_from_slice(&item.column);
        }
        base.solve(&mut item.z);
        item.p.clear();
        item.p.resize(n, 0.0);
        base.product(&item.z, &mut item.p);
        self.items.push(item);
    }

    /// S, factorised; false if it is singular.
    fn factor(&mut self, base: &Base) -> bool {
        let items = &self.items;
        let entry = |i: &Item, j: &Item| {
            if base.place(i.row).is_some() {
                -j.z[i.row]
            } else {
                j.column.get(i.row).copied().unwrap_or(0.0) - j.p[i.row]
            }
        };
        let by_columns = items.iter().flat_map(|j| items.iter().map(move |i| entry(i, j)));
        if self.lu.factor_matrix(items.len(), by_columns) {
            return true;
        }
        self.clear();
        false
    }

    /// Solves for the bordered set in place: rows of the problem in, unknowns out.
    pub(super) fn solve(&mut self, base: &mut Base, view: &View<'_>, v: &mut [f64]) {
        if self.items.is_empty() {
            base.solve(v);
            return;
        }
        self.right.clear();
        self.right.extend(self.items.iter().map(|item| v[item.row]));
        for item in &self.items {
            v[item.row] = 0.0;
        }
        base.solve(v);
        self.product.clear();
        self.product.resize(view.n(), 0.0);
        base.product(v, &mut self.product);
        self.rhs.clear();
        for (item, &right) in self.items.iter().zip(&self.right) {
            let gone = base.place(item.row).is_some();
            self.rhs.push(if gone { -v[item.row] } else { right - self.product[item.row] });
        }
        self.lu.solve_in_place(&mut self.rhs);
        for (item, &t) in self.items.iter().zip(&self.rhs) {
            crate::kernel::axpy(-t, &item.z, v);
        }
        for (item, &t) in self.items.iter().zip(&self.rhs) {
            v[item.row] = if base.place(item.row).is_some() { 0.0 } else { t };
        }
    }
}
