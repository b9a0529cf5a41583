//! Charts as SVG: axes, lines, dots, bands and text in the coordinates of the data. No fonts, no scripts, no network.

mod plot;

use std::fmt::Write as _;

use plot::Plot;

/// Colours that are told apart by everybody (Okabe and Ito), in the order they are used.
pub(super) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555", "#8c6d31"];

/// Size of one panel, px.
const PANEL: [f64; 2] = [460.0, 320.0];
/// Left, right, top, bottom of the plot inside its panel, px.
const MARGIN: [f64; 4] = [68.0, 14.0, 34.0, 46.0];
/// Height of a line of the legend, px.
const LEGEND: f64 = 15.0;

/// An axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Axis {
    /// What it measures, with its unit.
    pub(super) label: String,
    /// Decades instead of units.
    pub(super) log: bool,
    /// From where to where; from the data if not said.
    pub(super) range: Option<[f64; 2]>,
}

impl Axis {
    pub(super) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    pub(super) fn log(label: &str) -> Self {
        Self { label: label.to_owned(), log: true, range: None }
    }

    pub(super) fn within(self, lo: f64, hi: f64) -> Self {
        Self { range: Some([lo, hi]), ..self }
    }
}

/// Something drawn in the coordinates of the data.
#[derive(Debug, Clone)]
enum Shape {
    Line { points: Vec<[f64; 2]>, colour: String, width: f64, dash: &'static str },
    Area { points: Vec<[f64; 2]>, colour: String, opacity: f64 },
    Dots { points: Vec<[f64; 2]>, colour: String, radius: f64 },
    Text { at: [f64; 2], text: String, anchor: &'static str },
    Bar { x: f64, width: f64, from: f64, to: f64, colour: String },
}

/// One panel.
#[derive(Debug, Clone, Default)]
pub(super) struct Chart {
    title: String,
    x: Axis,
    y: Axis,
    equal: bool,
    names: Vec<String>, // below the bars, at 0, 1, ..
    shapes: Vec<Shape>,
    legend: Vec<(String, String)>,
}

impl Chart {
    pub(super) fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, ..Self::default() }
    }

    /// A metre is as long sideways as upwards.
    pub(super) fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Names below 0, 1, 2, .. instead of numbers.
    pub(super) fn named(mut self, names: &[String]) -> Self {
        self.names = names.to_vec();
        self.x.range = Some([-0.6, names.len() as f64 - 0.4]);
        self
    }

    pub(super) fn line(&mut self, name: &str, colour: &str, points: &[[f64; 2]]) {
        self.stroke(name, colour, points, 1.8, "");
    }

    pub(super) fn dashed(&mut self, name: &str, colour: &str, points: &[[f64; 2]]) {
        self.stroke(name, colour, points, 1.3, "5 4");
    }

    pub(super) fn stroke(
        &mut self,
        name: &str,
        colour: &str,
        points: &[[f64; 2]],
        width: f64,
        dash: &'static str,
    ) {
        self.note(name, colour);
        self.shapes.push(Shape::Line { points: points.to_vec(), colour: colour.to_owned(), width, dash });
    }

    pub(super) fn dots(&mut self, name: &str, colour: &str, radius: f64, points: &[[f64; 2]]) {
        self.note(name, colour);
        self.shapes.push(Shape::Dots { points: points.to_vec(), colour: colour.to_owned(), radius });
    }

    /// A filled outline.
    pub(super) fn area(&mut self, name: &str, colour: &str, opacity: f64, points: &[[f64; 2]]) {
        self.note(name, colour);
        self.shapes.push(Shape::Area { points: points.to_vec(), colour: colour.to_owned(), opacity });
    }

    pub(super) fn text(&mut self, at: [f64; 2], text: &str, anchor: &'static str) {
        self.shapes.push(Shape::Text { at, text: text.to_owned(), anchor });
    }

    pub(super) fn bar(&mut self, name: &str, colour: &str, x: f64, width: f64, from: f64, to: f64) {
        self.note(name, colour);
        self.shapes.push(Shape::Bar { x, width, from, to, colour: colour.to_owned() });
    }

    fn note(&mut self, name: &str, colour: &str) {
        if !name.is_empty() && self.legend.iter().all(|(known, _)| known != name) {
            self.legend.push((name.to_owned(), colour.to_owned()));
        }
    }

    fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.shapes.iter().flat_map(|shape| match shape {
            Shape::Line { points, .. } | Shape::Area { points, .. } | Shape::Dots { points, .. } => {
                points.clone()
            }
            Shape::Text { at, .. } => vec![*at],
            Shape::Bar { x, from, to, .. } => vec![[*x, *from], [*x, *to]],
        })
    }

    /// The range of an axis: as said, or that of the data.
    fn range(&self, axis: &Axis, k: usize) -> [f64; 2] {
        if let Some(range) = axis.range {
            return range;
        }
        let usable = |v: &f64| v.is_finite() && (!axis.log || *v > 0.0);
        let values: Vec<f64> = self.points().map(|p| p[k]).filter(usable).collect();
        let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if lo > hi {
            return if axis.log { [1.0, 10.0] } else { [0.0, 1.0] };
        }
        if axis.log {
            return [lo / 1.3, hi * 1.3];
        }
        let pad = if hi > lo { 0.05 * (hi - lo) } else { 0.5 * hi.abs().max(1.0) };
        // times and counts start at zero
        let floor = if lo >= 0.0 && lo < 0.5 * hi { 0.0 } else { lo - pad };
        [floor, hi + pad]
    }

    fn draw(&self, out: &mut String, left: f64, top: f64) {
        let plot = Plot::new(self, left, top);
        let [x0, y0, w, h] = plot.frame;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"t\">{}</text>",
            x0,
            top + 20.0,
            escape(&self.title)
        );
        plot.axes(self, out);
        let _ = writeln!(
            out,
            "<svg x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" viewBox=\"{x0:.1} {y0:.1} {w:.1} {h:.1}\">"
        );
        for shape in &self.shapes {
            plot.shape(shape, out);
        }
        let _ = writeln!(out, "</svg>");
        for (k, (name, colour)) in self.legend.iter().enumerate() {
            let y = top + PANEL[1] + LEGEND * (k / 2) as f64 + 8.0;
            let x = x0 + 0.5 * w * (k % 2) as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"12\" height=\"4\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                y - 6.0,
                x + 17.0,
                y,
                escape(name)
            );
        }
    }
}

/// Part of a step by which the last mark may be beyond its range: rounding of the division.
const AT_THE_END: f64 = 1e-9;

/// Round numbers in a range, with their text.
fn ticks([lo, hi]: [f64; 2], log: bool) -> Vec<(f64, String)> {
    if log {
        #[expect(clippy::cast_possible_truncation, reason = "exponents of f64")]
        let (first, last) = (lo.log10().ceil() as i32, hi.log10().floor() as i32);
        if last > first {
            let stride = (last - first) / 6 + 1;
            let decades = (first..=last).step_by(usize::try_from(stride).unwrap_or(1));
            return decades.map(|e| (10_f64.powi(e), power(e))).collect();
        }
        // less than two decades: 1, 2, 5
        let mantissas = [1.0, 2.0, 5.0];
        let all = (first - 1..=last + 1).flat_map(|e| mantissas.map(|m| m * 10_f64.powi(e)));
        return all.filter(|v| (lo..=hi).contains(v)).map(|v| (v, number(v))).collect();
    }
    let raw = (hi - lo) / 5.0;
    let decade = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade).into_iter().find(|s| *s >= raw).unwrap_or(raw);
    let mut out = Vec::new();
    let mut k = (lo / step).ceil();
    while k * step <= hi + AT_THE_END * step && out.len() < 20 {
        out.push((k * step, number(k * step)));
        k += 1.0;
    }
    out
}

fn power(e: i32) -> String {
    match e {
        -2..=3 => number(10_f64.powi(e)),
        _ => format!("1e{e}"),
    }
}

/// A number in a few characters.
pub(super) fn number(v: f64) -> String {
    let size = v.abs();
    if v == 0.0 {
        return "0".to_owned();
    }
    if !v.is_finite() {
        return "–".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{v:.2e}");
    }
    let digits = if size >= 100.0 {
        1
    } else if size >= 1.0 {
        3
    } else {
        5
    };
    let text = format!("{v:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Panels side by side, `columns` in a row.
pub(super) fn sheet(charts: &[Chart], columns: usize) -> String {
    let rows = charts.len().div_ceil(columns);
    let lines = charts.iter().map(|c| c.legend.len().div_ceil(2)).max().unwrap_or(0);
    let pitch = PANEL[1] + LEGEND * lines as f64 + 8.0;
    let (width, height) = (PANEL[0] * columns.min(charts.len()) as f64, pitch * rows as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">\n\
         <style>.t{{font-size:13px;font-weight:bold}}.g{{stroke:#ddd;stroke-width:.7}}\
         .f{{fill:none;stroke:#888}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (k, chart) in charts.iter().enumerate() {
        chart.draw(&mut out, PANEL[0] * (k % columns) as f64, pitch * (k / columns) as f64);
    }
    out += "</svg>\n";
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (range, log) in
            [([0.0, 1.0], false), ([-3.7, 912.0], false), ([1e-6, 3.0], true), ([0.2, 7.0], true)]
        {
            let ticks = ticks(range, log);
            assert!((2..=12).contains(&ticks.len()), "{range:?}: {ticks:?}");
            assert!(ticks.iter().all(|(v, _)| *v >= range[0] - 1e-9 && *v <= range[1] + 1e-9), "{ticks:?}");
        }
    }

    #[test]
    fn a_sheet_is_closed_and_survives_odd_numbers() {
        let mut chart = Chart::new("a < b & \"c\"", Axis::linear("x"), Axis::log("y"));
        chart.line("one", COLOURS[0], &[[0.0, 1.0], [1.0, f64::NAN], [2.0, 0.0], [3.0, 1e300]]);
        chart.dots("none", COLOURS[1], 2.0, &[]);
        let svg = sheet(&[chart, Chart::default()], 2);
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    }
}
