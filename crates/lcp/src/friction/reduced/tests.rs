//! The updated inverse against a fresh one, along Lemke's paths.

use super::{Basic, Basis, Load};
use crate::friction::system::System;
use crate::observer::Variable;
use crate::problem::{Bounded, Contact, FrictionProblem, GlobalForm, Row};
use crate::robust::tree::{mix, unit_interval};

/// Contacts and two motors on one body of six degrees of freedom, no two alike.
fn problem(seed: u64, contacts: u64) -> FrictionProblem {
    let number = |k: u64| 2.0 * unit_interval(mix(k ^ mix(seed))) - 1.0;
    let row = |k: u64| Row::new((0..6).map(|dof| (dof, number(100 * k + dof as u64))).collect());
    let contact =
        |i: u64| Contact { mu: 0.4, normal: row(3 * i), tangents: [row(3 * i + 1), row(3 * i + 2)] };
    let motor = |k: u64| Bounded { row: row(1000 + k), lo: -0.05, hi: 0.05 };
    let identity = (0..36).map(|k| if k % 7 == 0 { 1.0 } else { 0.0 }).collect();
    FrictionProblem::global(GlobalForm {
        mass: vec![(6, identity)],
        free_velocity: (0..6).map(|k| number(5000 + k)).collect(),
        contacts: (0..contacts).map(contact).collect(),
        bounded: vec![motor(0), motor(1)],
        ..GlobalForm::default()
    })
    .unwrap()
}

/// The row that blocks, if any: least ratio, z₀ first.
fn blocking(basis: &Basis, q: &[f64], column: &[f64]) -> Option<Variable> {
    let n = q.len() - 1;
    let mut best = if column[n] < -1e-9 { Some((q[n] / -column[n], Variable::Z0)) } else { None };
    for i in (0..n).filter(|&i| column[i] < -1e-9) {
        let variable = match basis.side(i) {
            Basic::W => Variable::W(i),
            Basic::Z => Variable::Z(i),
            Basic::Absent | Basic::Neither => continue,
        };
        let ratio = q[i].max(0.0) / -column[i];
        if best.is_none_or(|(least, _)| ratio < least) {
            best = Some((ratio, variable));
        }
    }
    best.map(|(_, variable)| variable)
}

#[test]
fn updates_agree_with_a_fresh_inverse_along_lemkes_paths() {
    let (mut exchanges, mut largest) = (0, 0);
    for seed in 0..20 {
        let mut system = System::default();
        system.rebuild(&problem(seed, 3 + seed % 5));
        let n = system.unknowns();
        let mut load = vec![0.0; n];
        system.load(&mut load);
        let mut basis = Basis::default();
        basis.reset(&system);
        assert!(basis.factor(&system));
        let (mut q, mut column) = (Vec::new(), system.cover.clone());
        column.push(0.0);
        basis.solve(&system, Load::Vector(&load), &mut q);
        let Some(worst) = (0..n).filter(|&i| q[i] < 0.0).min_by(|&a, &b| q[a].total_cmp(&q[b])) else {
            continue;
        };
        let (mut entering, mut leaving) = (Variable::Z0, Variable::W(worst));
        for _ in 0..200 {
            assert!(basis.exchange(&system, entering, leaving, &column));
            exchanges += 1;
            let mut fresh = basis.clone();
            assert!(fresh.factor(&system));
            assert_eq!(basis.cols.len(), fresh.cols.len(), "the same is eliminated");
            let mut other = Vec::new();
            basis.solve(&system, Load::Vector(&load), &mut q);
            fresh.solve(&system, Load::Vector(&load), &mut other);
            for i in (0..n).filter(|&i| matches!(basis.side(i), Basic::W | Basic::Z)) {
                assert!(
                    (q[i] - other[i]).abs() <= 1e-10 * other[i].abs().max(1.0),
                    "{i}: {} {}",
                    q[i],
                    other[i]
                );
            }
            // unrefined, V itself
            let at: Vec<usize> = (0..n).filter(|&i| matches!(basis.side(i), Basic::W | Basic::Z)).collect();
            let (mut a, mut b) = (Vec::new(), Vec::new());
            basis.solve_at(&system, Load::Vector(&load), &at, &mut a);
            fresh.solve_at(&system, Load::Vector(&load), &at, &mut b);
            let size = crate::kernel::max_abs(&b).max(1.0);
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-7 * size));
            if leaving == Variable::Z0 {
                break;
            }
            entering = leaving.complement();
            let drive = match entering {
                Variable::Z(j) => Load::Column(j),
                Variable::W(i) => Load::Unit(i, -1.0),
                Variable::Z0 => unreachable!("the path is over"),
            };
            basis.solve(&system, drive, &mut column);
            let Some(next) = blocking(&basis, &q, &column) else { break };
            leaving = next;
        }
        largest = largest.max(basis.largest);
    }
    assert!(exchanges > 200, "{exchanges}");
    // the rank of products over six degrees of freedom, and the row of a γ, which is none
    assert!(largest <= 7, "{largest}");
}
