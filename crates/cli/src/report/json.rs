//! One JSON object per problem, on one line.

use gudgeon_lcp::{ContactAnswer, Method, PivotEvent, Ray, Residual, StageReport, SweepEvent, Trace};

use crate::engine::{Answer, Values};

/// The line of a problem, without its end.
pub(crate) fn line(file: &str, kind: &str, method: Method, answer: &Answer) -> String {
    let outcome = &answer.outcome;
    let mut fields = vec![
        ("file", text(file)),
        ("kind", text(kind)),
        ("method", text(method.name())),
        ("status", text(outcome.status.name())),
    ];
    match &answer.values {
        Values::Vectors { z, w } => fields.extend([("z", numbers(z)), ("w", numbers(w))]),
        Values::Contacts(contacts) => fields.push(("contacts", list(contacts.iter().map(contact)))),
    }
    fields.extend([
        ("pivots", outcome.pivots.to_string()),
        ("nodes", outcome.nodes.to_string()),
        ("seconds", number(answer.seconds)),
        ("residual", residual(&outcome.residual)),
    ]);
    if let Some(gap) = &answer.facet_gap {
        fields.push(("facet_gap", residual(gap)));
    }
    if !answer.stages.is_empty() {
        fields.push(("stages", list(answer.stages.iter().map(stage))));
    }
    if let Some(trace) = &answer.trace {
        fields.push(("trace", self::trace(trace, answer.ray.as_ref())));
    }
    object(fields)
}

fn residual(residual: &Residual) -> String {
    object([
        ("natural", number(residual.natural)),
        ("fischer_burmeister", number(residual.fischer_burmeister)),
        ("energy", number(residual.energy)),
    ])
}

fn stage(stage: &StageReport) -> String {
    object([
        ("stage", text(stage.stage.name())),
        ("seconds", number(stage.seconds)),
        ("factorisations", stage.factorisations.to_string()),
        ("before", number(stage.before)),
        ("after", number(stage.after)),
        ("won", stage.won.to_string()),
    ])
}

fn contact(contact: &ContactAnswer) -> String {
    object([
        ("impulse", numbers(&contact.impulse)),
        ("velocity", numbers(&contact.velocity)),
        ("mode", text(contact.mode.name())),
    ])
}

/// Every pivot, every sweep, and the ray where the path ended on one.
fn trace(trace: &Trace, ray: Option<&Ray>) -> String {
    let mut fields = vec![
        ("pivots", list(trace.pivots.iter().map(pivot))),
        ("sweeps", list(trace.sweeps.iter().map(sweep))),
    ];
    if let Some(Ray { proof, z, z0, dz, dz0, cover }) = ray {
        let ray = object([
            ("z", numbers(z)),
            ("z0", number(*z0)),
            ("dz", numbers(dz)),
            ("dz0", number(*dz0)),
            ("cover", numbers(cover)),
            ("proof", text(proof.name())),
        ]);
        fields.push(("ray", ray));
    }
    object(fields)
}

fn pivot(event: &PivotEvent) -> String {
    object([
        ("pivot", event.pivot.to_string()),
        ("entering", text(&event.entering.to_string())),
        ("leaving", text(&event.leaving.to_string())),
        ("q_min", number(event.q_min)),
        ("error", number(event.error)),
    ])
}

fn sweep(event: &SweepEvent) -> String {
    object([
        ("sweep", event.sweep.to_string()),
        ("natural", number(event.natural)),
        ("fischer_burmeister", number(event.fischer_burmeister)),
        ("energy", number(event.energy)),
    ])
}

/// As short as it can be while reading back to the same bits; JSON has no infinities, so they are null.
fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "null".to_owned() }
}

fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|&x| number(x)))
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields = fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}
