//! Misspelt names: the known one that was probably meant, for error messages.

/// Of some names the one that takes the fewest changed, added, left out or exchanged letters, if that is a third of them at most; the first of equals.
pub(super) fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = given.chars().count().div_ceil(3);
    names
        .map(|name| (changes(given, name), name))
        .filter(|(n, _)| *n <= most)
        .min_by_key(|(n, _)| *n)
        .map(|(_, name)| name)
}

/// Puts the likeliest name before the list of a message "unknown field `x`, expected one of `y`, `z`".
pub(super) fn suggest(message: &str) -> String {
    let Some((head, list)) = message.split_once(", expected ") else { return message.to_owned() };
    let quoted = |text: &'_ str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let names = quoted(list);
    let given = quoted(head);
    match given.first().and_then(|g| nearest(g, names.iter().map(String::as_str))) {
        Some(name) => format!("{head}; did you mean `{name}`? Expected {list}"),
        None => message.to_owned(),
    }
}

/// Levenshtein's distance, with neighbours exchanged as one change.
fn changes(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // names are short; a long one is a mistake of another kind
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let kept = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                kept.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_name_is_said_first() {
        let told = suggest("unknown field `mas`, expected one of `name`, `mass`, `mask`");
        assert_eq!(told, "unknown field `mas`; did you mean `mass`? Expected one of `name`, `mass`, `mask`");
        let far = "unknown field `colour_of_it`, expected one of `name`, `mass`";
        assert_eq!(suggest(far), far);
        assert_eq!(suggest("expected an equals"), "expected an equals");
        assert_eq!(nearest("frcition", ["friction", "section"].into_iter()), Some("friction"));
    }
}
