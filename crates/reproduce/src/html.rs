//! The page: one section per item, made from the JSON files alone, so that a resumed run shows everything.

use std::fmt::Write as _;

use serde_json::Value;

use super::svg::escape;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--good:#1a7f37;--bad:#cf222e}\
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums;font-size:14px}\
th,td{border:1px solid var(--line);padding:.2rem .6rem;text-align:right}\
th:first-child,td:first-child,.l td{text-align:left}\
caption{text-align:left;font-weight:600;padding:.3rem 0}\
img{max-width:100%;background:#fff;border:1px solid var(--line)}\
figure{margin:1rem 0}figcaption{font-size:14px;opacity:.8}\
.yes{color:var(--good)}.no{color:var(--bad);font-weight:600}\
section{border-top:2px solid var(--line);margin-top:2.5rem}nav li{line-height:1.35}code{font-size:.92em}";

fn text(value: &Value) -> String {
    escape(value.as_str().unwrap_or_default())
}

fn list(out: &mut String, title: &str, items: &Value) {
    let Some(items) = items.as_array().filter(|a| !a.is_empty()) else { return };
    let _ = writeln!(out, "<h3>{title}</h3>\n<ul>");
    for item in items {
        let _ = writeln!(out, "<li>{}</li>", text(item));
    }
    out.push_str("</ul>\n");
}

fn checks(out: &mut String, checks: &Value) {
    let Some(checks) = checks.as_array().filter(|a| !a.is_empty()) else { return };
    out.push_str("<table class=\"l\"><caption>What must hold</caption><tr><th>statement</th><th>paper</th><th>here</th><th>holds</th></tr>\n");
    for check in checks {
        let (class, word) = if check["holds"] == true { ("yes", "yes") } else { ("no", "NO") };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{class}\">{word}</td></tr>",
            text(&check["what"]),
            text(&check["paper"]),
            text(&check["ours"])
        );
    }
    out.push_str("</table>\n");
}

fn observations(out: &mut String, observations: &Value) {
    let Some(observations) = observations.as_array().filter(|a| !a.is_empty()) else { return };
    out.push_str("<table class=\"l\"><caption>What the paper saw of other methods</caption><tr><th>observation</th><th>paper</th><th>here</th><th>the same</th></tr>\n");
    for seen in observations {
        let word =
            if seen["same"] == true { "yes".to_owned() } else { format!("no: {}", text(&seen["why"])) };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{word}</td></tr>",
            text(&seen["what"]),
            text(&seen["paper"]),
            text(&seen["ours"])
        );
    }
    out.push_str("</table>\n");
}

fn table(out: &mut String, table: &Value) {
    let cells = |row: &Value, tag: &str| -> String {
        let cells = row.as_array().into_iter().flatten();
        cells.map(|c| ["<", tag, ">", &text(c), "</", tag, ">"].concat()).collect()
    };
    let _ = writeln!(
        out,
        "<table><caption>{}</caption>\n<tr>{}</tr>",
        text(&table["caption"]),
        cells(&table["header"], "th")
    );
    for row in table["rows"].as_array().into_iter().flatten() {
        let _ = writeln!(out, "<tr>{}</tr>", cells(row, "td"));
    }
    out.push_str("</table>\n");
}

fn section(out: &mut String, item: &Value) {
    let _ = writeln!(
        out,
        "<section id=\"{}\">\n<h2>{}, {}: {}</h2>",
        text(&item["item"]),
        text(&item["paper"]),
        text(&item["place"]),
        text(&item["title"])
    );
    checks(out, &item["checks"]);
    observations(out, &item["observations"]);
    for picture in item["pictures"].as_array().into_iter().flatten() {
        let _ = writeln!(
            out,
            "<figure><img src=\"{0}\" alt=\"{1}\"><figcaption>{1}</figcaption></figure>",
            text(&picture["file"]),
            text(&picture["caption"])
        );
    }
    for t in item["tables"].as_array().into_iter().flatten() {
        table(out, t);
    }
    list(out, "Reproduced exactly", &item["exact"]);
    list(out, "Reproduced in kind", &item["in_kind"]);
    list(out, "What differs, and why", &item["differences"]);
    let settings = escape(&item["settings"].to_string());
    let _ = writeln!(
        out,
        "<p><small>Settings <code>{settings}</code>; {:.1} s on the clock; all numbers in <a href=\"{1}.json\">{1}.json</a>.</small></p>\n</section>",
        item["wall_seconds"].as_f64().unwrap_or_default(),
        text(&item["item"])
    );
}

/// The whole page.
pub(super) fn page(items: &[Value]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The papers, redone</title>\
         <style>{STYLE}</style></head><body>\n<h1>The papers, redone by gudgeon {}</h1>\n\
         <p>Every figure on this page was computed by <code>gudgeon reproduce</code>. Times are processor times of this \
         machine while it did other work too: read ratios. The papers' own times come from machines of 2005 to 2010.</p>\n<nav><ul>\n",
        env!("CARGO_PKG_VERSION")
    );
    for item in items {
        let all = item["checks"].as_array().map_or(0, Vec::len);
        let held = item["checks"].as_array().into_iter().flatten().filter(|c| c["holds"] == true).count();
        let class = if held == all { "yes" } else { "no" };
        let _ = writeln!(
            out,
            "<li><a href=\"#{}\">{}, {}</a>: {} <span class=\"{class}\">{held} of {all} statements hold</span></li>",
            text(&item["item"]),
            text(&item["paper"]),
            text(&item["place"]),
            text(&item["title"])
        );
    }
    out.push_str("</ul></nav>\n");
    for item in items {
        section(&mut out, item);
    }
    out.push_str("</body></html>\n");
    out
}
