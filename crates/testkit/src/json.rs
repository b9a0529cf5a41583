//! Problem files: the JSON that `gudgeon solve` reads, written with every bit of every number.
//!
//! Rust prints the shortest decimal that reads back to the same f64, so a dumped problem is the problem.

use std::fmt::Write as _;

use gudgeon_lcp::{FrictionProblem, GlobalForm, Lcp, LocalForm, Mlcp, Row};

use crate::campaign::Problem;

/// The problem as one JSON object.
pub fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Lcp(lcp) => lcp_file(lcp),
        Problem::Mlcp(mlcp) => mlcp_file(mlcp),
        Problem::Friction(friction) => friction_file(friction),
    }
}

fn lcp_file(lcp: &Lcp) -> String {
    format!("{{\"kind\":\"lcp\",\"M\":{},\"q\":{}}}\n", matrix(lcp.n(), lcp.m()), vector(lcp.q()))
}

fn mlcp_file(mlcp: &Mlcp) -> String {
    let mut out = format!(
        "{{\"kind\":\"mlcp\",\"A\":{},\"b\":{},\"lo\":{},\"hi\":{}",
        matrix(mlcp.n(), mlcp.a()),
        vector(mlcp.b()),
        vector(mlcp.lo()),
        vector(mlcp.hi())
    );
    if mlcp.findex().iter().any(Option::is_some) {
        let index = |f: &Option<usize>| f.map_or_else(|| "-1".to_owned(), |f| f.to_string());
        let _ = write!(out, ",\"findex\":{}", list(mlcp.findex().iter().map(index)));
    }
    out.push_str("}\n");
    out
}

fn friction_file(problem: &FrictionProblem) -> String {
    let mut out = format!("{{\"kind\":\"friction\",\"facets\":{}", problem.facets());
    if let Some(local) = problem.as_local() {
        local_fields(&mut out, local, problem.mu());
    } else if let Some(global) = problem.to_global() {
        global_fields(&mut out, &global);
    }
    out.push_str("}\n");
    out
}

fn local_fields(out: &mut String, local: &LocalForm, mu: &[f64]) {
    let w = matrix(local.q().len(), local.w());
    let _ = write!(out, ",\"W\":{w},\"q\":{},\"mu\":{}", vector(local.q()), vector(mu));
}

fn global_fields(out: &mut String, global: &GlobalForm) {
    let blocks = list(global.mass.iter().map(|(n, block)| matrix(*n, block)));
    let _ = write!(out, ",\"mass\":{blocks},\"free_velocity\":{}", vector(&global.free_velocity));
    let contacts = global.contacts.iter().map(|c| {
        format!(
            "{{\"mu\":{:?},\"normal\":{},\"t1\":{},\"t2\":{},\"bias\":[{:?},{:?},{:?}]}}",
            c.mu,
            entries(&c.normal),
            entries(&c.tangents[0]),
            entries(&c.tangents[1]),
            c.normal.bias,
            c.tangents[0].bias,
            c.tangents[1].bias,
        )
    });
    let _ = write!(out, ",\"contacts\":{}", list(contacts));
    let row = |r: &Row| format!("\"row\":{},\"bias\":{:?}", entries(r), r.bias);
    for (field, rows) in [("equality", &global.equality), ("unilateral", &global.unilateral)] {
        if !rows.is_empty() {
            let _ = write!(out, ",\"{field}\":{}", list(rows.iter().map(|r| format!("{{{}}}", row(r)))));
        }
    }
    if !global.bounded.is_empty() {
        let bounded = global.bounded.iter();
        let boxes =
            bounded.map(|b| format!("{{{},\"lo\":{},\"hi\":{}}}", row(&b.row), number(b.lo), number(b.hi)));
        let _ = write!(out, ",\"box\":{}", list(boxes));
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A number, or null for an infinite bound.
fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "null".to_owned() }
}

fn vector(values: &[f64]) -> String {
    list(values.iter().map(|&v| number(v)))
}

/// A column-major matrix, by rows.
fn matrix(n: usize, m: &[f64]) -> String {
    list((0..n).map(|i| list((0..n).map(|j| number(m[j * n + i])))))
}

fn entries(row: &Row) -> String {
    list(row.entries.iter().map(|(dof, v)| format!("[{dof},{v:?}]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_fields_of_the_format() {
        let lcp = Lcp::from_rows(&[[1.0, 0.1], [-2e-17, 3.0]], vec![-1.0, 1e300]).unwrap();
        assert_eq!(
            problem(&Problem::Lcp(lcp)),
            "{\"kind\":\"lcp\",\"M\":[[1.0,0.1],[-2e-17,3.0]],\"q\":[-1.0,1e300]}\n"
        );
        let scene = crate::mechanisms::driven_four_bar(1.0, 5.0);
        let text = problem(&Problem::Friction(scene.problem()));
        for field in ["mass", "free_velocity", "contacts", "normal", "t1", "equality", "unilateral", "box"] {
            assert!(text.contains(&format!("\"{field}\":")), "{field}");
        }
        let text = problem(&Problem::Mlcp(crate::single::peg(4).box_friction()));
        assert!(text.contains("\"findex\":[-1,0,0,-1,3,3") && text.contains("null"));
    }
}
