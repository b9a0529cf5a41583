//! The table as a picture: every figure's error in parts of what it may be, a line for each scene.
//!
//! ```text
//!     x = log₁₀(error/bound), cut at the left where rounding is all that is left;      1 is the bound
//! ```

use std::fmt::Write as _;

use serde_json::Value;

const LEFT: f64 = 130.0; // px, for names
const WIDE: f64 = 560.0;
const LINE: f64 = 13.0;
const TOP: f64 = 44.0;
/// Decades below the bound that are shown, and above it.
const DECADES: [f64; 2] = [-16.0, 1.0];

/// An SVG of what `gudgeon validate --json` prints, a line for each scene.
///
/// # Errors
/// If a line is not JSON.
pub fn picture(lines: &str) -> Result<String, String> {
    let outcomes = lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Value>, _>>()
        .map_err(|e| e.to_string())?;
    let at = |decade: f64| LEFT + WIDE * (decade - DECADES[0]) / (DECADES[1] - DECADES[0]);
    let low = TOP + LINE * outcomes.len() as f64;
    let (width, height) = (LEFT + WIDE + 20.0, low + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"16\" font-size=\"13\">Every figure: its error in parts of its bound</text>\n"
    );
    for (k, (name, color)) in PARTS.iter().enumerate() {
        let x = LEFT + 95.0 * k as f64;
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"29\" r=\"3.5\" fill=\"{color}\"/><text x=\"{:.1}\" y=\"32.5\">{name}</text>",
            x + 4.0,
            x + 12.0
        );
    }
    for decade in (-16..=0).step_by(2) {
        let (x, power) = (at(f64::from(decade)), format!("1e{decade}"));
        let bound = decade == 0;
        let (color, words) = if bound { ("#d55e00", "bound") } else { ("#dddddd", power.as_str()) };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{low:.1}\" stroke=\"{color}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{words}</text>",
            TOP - 4.0,
            low + 14.0
        );
    }
    for (k, outcome) in outcomes.iter().enumerate() {
        let y = TOP + LINE * (k as f64 + 0.5);
        let name = outcome["scene"].as_str().unwrap_or_default();
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 8.0,
            y + 3.5
        );
        let color = PARTS.iter().find(|(p, _)| outcome["part"] == *p).map_or("#000000", |(_, c)| c);
        for row in outcome["rows"].as_array().into_iter().flatten() {
            let (error, bound) =
                (row["error"].as_f64().unwrap_or(f64::INFINITY), row["bound"].as_f64().unwrap_or(0.0));
            // yes or no: at the left where it is right
            let part = if bound > 0.0 { error / bound } else { f64::from(u8::from(error > 0.0)) * 10.0 };
            let x = at(part.log10().clamp(DECADES[0], DECADES[1]));
            let fill = if row["holds"] == true { color } else { "#d7191c" };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{fill}\" fill-opacity=\"0.7\"/>"
            );
        }
    }
    svg += "</svg>\n";
    Ok(svg)
}

const PARTS: [(&str, &str); 3] = [("theory", "#0072b2"), ("consistency", "#009e73"), ("reality", "#cc79a7")];
