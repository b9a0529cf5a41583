//! Data to pixels: frame, axes, shapes.

use std::fmt::Write;

use super::{Chart, MARGIN, PANEL, Shape, escape, ticks};

/// Part of the least value of a logarithmic axis that nought and less are drawn at: below the frame, not at minus infinity.
const BELOW: f64 = 1e-3;

/// Data to pixels.
pub(super) struct Plot {
    pub(super) frame: [f64; 4], // left, top, width, height, px
    pub(super) x: [f64; 2],
    pub(super) y: [f64; 2],
    pub(super) log: [bool; 2],
}

impl Plot {
    pub(super) fn new(chart: &Chart, left: f64, top: f64) -> Self {
        let (x0, y0) = (left + MARGIN[0], top + MARGIN[2]);
        let mut w = PANEL[0] - MARGIN[0] - MARGIN[1];
        let mut h = PANEL[1] - MARGIN[2] - MARGIN[3];
        let (x, y) = (chart.range(&chart.x, 0), chart.range(&chart.y, 1));
        if chart.equal {
            let scale = (w / (x[1] - x[0])).min(h / (y[1] - y[0]));
            (w, h) = (scale * (x[1] - x[0]), scale * (y[1] - y[0]));
        }
        Self { frame: [x0, y0, w, h], x, y, log: [chart.x.log, chart.y.log] }
    }

    pub(super) fn at(&self, p: [f64; 2]) -> [f64; 2] {
        let part = |v: f64, range: [f64; 2], log: bool| {
            if log {
                (v.max(range[0] * BELOW) / range[0]).ln() / (range[1] / range[0]).ln()
            } else {
                (v - range[0]) / (range[1] - range[0])
            }
        };
        let [x0, y0, w, h] = self.frame;
        [x0 + w * part(p[0], self.x, self.log[0]), y0 + h * (1.0 - part(p[1], self.y, self.log[1]))]
    }

    pub(super) fn axes(&self, chart: &Chart, out: &mut String) {
        let [x0, y0, w, h] = self.frame;
        let named: Vec<(f64, String)> =
            chart.names.iter().enumerate().map(|(k, name)| (k as f64, name.clone())).collect();
        let across = if named.is_empty() { ticks(self.x, self.log[0]) } else { named };
        for (v, text) in across {
            let x = self.at([v, self.y[1]])[0];
            if chart.names.is_empty() {
                let _ = writeln!(out, "<path d=\"M{x:.1} {y0:.1}V{:.1}\" class=\"g\"/>", y0 + h);
            }
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                y0 + h + 15.0,
                escape(&text)
            );
        }
        for (v, text) in ticks(self.y, self.log[1]) {
            let y = self.at([self.x[0], v])[1];
            let _ = writeln!(
                out,
                "<path d=\"M{x0:.1} {y:.1}H{:.1}\" class=\"g\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                x0 + w,
                x0 - 6.0,
                y + 4.0
            );
        }
        let (cx, cy) = (x0 + 0.5 * w, y0 + 0.5 * h);
        let left = x0 - MARGIN[0] + 14.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" class=\"f\"/>\
             <text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate({left:.1} {cy:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            y0 + h + 33.0,
            escape(&chart.x.label),
            escape(&chart.y.label)
        );
    }

    pub(super) fn path(&self, points: &[[f64; 2]]) -> String {
        let mut d = String::new();
        let mut pen = 'M';
        for p in points {
            if !p.iter().all(|v| v.is_finite()) {
                pen = 'M';
                continue;
            }
            let [x, y] = self.at(*p);
            let _ = write!(d, "{pen}{x:.1} {y:.1}");
            pen = 'L';
        }
        d
    }

    pub(super) fn shape(&self, shape: &Shape, out: &mut String) {
        let _ = match shape {
            Shape::Line { points, colour, width, dash } => {
                let dash =
                    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
                writeln!(
                    out,
                    "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>",
                    self.path(points)
                )
            }
            Shape::Area { points, colour, opacity } => writeln!(
                out,
                "<path d=\"{}Z\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>",
                self.path(points)
            ),
            Shape::Dots { points, colour, radius } => {
                for p in points.iter().filter(|p| p.iter().all(|v| v.is_finite())) {
                    let [x, y] = self.at(*p);
                    let _ = write!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"0.8\"/>"
                    );
                }
                writeln!(out)
            }
            Shape::Text { at, text, anchor } => {
                let [x, y] = self.at(*at);
                writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                    escape(text)
                )
            }
            Shape::Bar { x, width, from, to, colour } => {
                let [left, top] = self.at([x - 0.5 * width, *to]);
                let [right, bottom] = self.at([x + 0.5 * width, *from]);
                writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
                    right - left,
                    (bottom - top).max(0.0)
                )
            }
        };
    }
}
