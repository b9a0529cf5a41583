//! Tables before they are understood: moved among the bytes of several files, laid over each other, changed at a path.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::{Table, Value};

/// The table with all its spans moved to where its file stands among the others.
pub(super) fn shifted(table: Table<'_>, start: usize) -> Table<'_> {
    let shift = |span: Range<usize>| span.start + start..span.end + start;
    table
        .into_iter()
        .map(|(key, value)| {
            let key = Spanned::new(shift(key.span()), key.into_inner());
            (key, moved(value, &shift))
        })
        .collect()
}

fn moved<'t>(value: Value<'t>, shift: &dyn Fn(Range<usize>) -> Range<usize>) -> Value<'t> {
    let span = shift(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(list) => DeValue::Array(list.into_iter().map(|v| moved(v, shift)).collect()),
        DeValue::Table(table) => DeValue::Table(
            table
                .into_iter()
                .map(|(k, v)| (Spanned::new(shift(k.span()), k.into_inner()), moved(v, shift)))
                .collect(),
        ),
        other => other,
    };
    Spanned::new(span, inner)
}

/// A value from outside stands where what it replaces, or what it is put into, stands.
pub(super) fn stamped<'t>(value: DeValue<'t>, span: &Range<usize>) -> Value<'t> {
    moved(Spanned::new(span.clone(), value), &|_| span.clone())
}

/// `over` on `under`: lists of tables after each other, tables key by key, anything else in the place of the old.
pub(super) fn merge<'t>(under: &mut Table<'t>, over: Table<'t>) {
    for (key, value) in over {
        let old = under.get_mut(key.get_ref().as_ref());
        match (old.map(Spanned::get_mut), value.get_ref()) {
            (Some(DeValue::Array(list)), DeValue::Array(more))
                if more.iter().chain(list.iter()).all(|v| matches!(v.get_ref(), DeValue::Table(_))) =>
            {
                more.iter().for_each(|v| list.push(v.clone()));
            }
            (Some(DeValue::Table(table)), DeValue::Table(more)) => merge(table, more.clone()),
            _ => {
                under.insert(key, value);
            }
        }
    }
}

/// Puts a value at a path: keys of tables, names or numbers of what lists hold.
pub(super) fn put<'t>(table: &mut Table<'t>, path: &str, value: DeValue<'t>) -> Result<(), String> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(k, r)| (k, Some(r)));
    let Some(rest) = rest else {
        let span = table.iter().next().map_or(0..0, |(_, v)| v.span());
        let span = table.get(key).map_or(span, Spanned::span);
        table.insert(Spanned::new(span.clone(), Cow::Owned(key.to_owned())), stamped(value, &span));
        return Ok(());
    };
    let next = table.get_mut(key).ok_or_else(|| format!("a key that is there: nothing is called '{key}'"))?;
    match next.get_mut() {
        DeValue::Table(inner) => put(inner, rest, value),
        DeValue::Array(list) => {
            let (name, rest) = rest.split_once('.').ok_or_else(|| format!("{key}.NAME.KEY"))?;
            let called = |v: &Value<'_>| match v.get_ref() {
                DeValue::Table(t) => ["name", "child", "joint", "body"].iter().any(
                    |k| matches!(t.get(*k).map(Spanned::get_ref), Some(DeValue::String(s)) if s == name),
                ),
                _ => false,
            };
            let at = name.parse().ok().filter(|k| *k < list.len()).or_else(|| list.iter().position(called));
            match at.and_then(|k| list.get_mut(k)).map(Spanned::get_mut) {
                Some(DeValue::Table(inner)) => put(inner, rest, value),
                _ => Err(format!(
                    "a {key} that is there: none is called '{name}', and there are {}",
                    list.len()
                )),
            }
        }
        _ => Err(format!("a key: '{key}' holds a value")),
    }
}
