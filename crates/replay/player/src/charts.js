// Charts of every step under the picture; a press or a drag on one seeks.
import { element, si } from "./text.js";

const FLOOR = 1e-17; // residuals below are drawn as this

export class Charts {
  constructor(host, recording, seek) {
    this.recording = recording;
    const { stats } = recording;
    const bad = stats.status.map((s, k) => ((s > 0 && s < 5) || stats.fallback[k] > 0 ? 1 : 0));
    this.charts = [
      { name: "contacts", lines: [["--series", stats.contacts]], show: (k) => `${stats.contacts[k]}`, whole: true },
      { name: "pivots", lines: [["--series", stats.pivots]], marks: bad, show: (k) => said(stats, k), whole: true },
      { name: "residual", lines: [["--series", stats.residual]], log: true, limit: 1e-9, show: (k) => (stats.residual[k] ? stats.residual[k].toExponential(1) : "0") },
      {
        name: "energy",
        lines: [["--series2", stats.potential, "pot."], ["--series3", stats.kinetic, "kin."], ["--series", stats.total, "sum"]],
        unit: "J",
        show: (k) => si(stats.total[k], "J"),
      },
      { name: "penetration", lines: [["--series", stats.penetration]], unit: "m", show: (k) => si(stats.penetration[k], "m") },
    ];
    if (stats.loopGap.some((x) => x > 0)) {
      this.charts.push({ name: "loop gap", lines: [["--series", stats.loopGap]], unit: "m", show: (k) => si(stats.loopGap[k], "m") });
    }
    for (const chart of this.charts) {
      chart.canvas = element("canvas", { "aria-hidden": "true" });
      chart.cursor = element("i");
      chart.value = element("output");
      const keys = chart.lines.filter((l) => l[2]).map(([color, , name]) => element("span", { style: `--c: var(${color})` }, name));
      chart.plot = element("div", { class: "plot" }, chart.canvas, chart.cursor);
      chart.box = element("figure", { "data-chart": chart.name }, element("figcaption", {}, element("b", {}, chart.name), ...keys, chart.value), chart.plot);
      host.append(chart.box);
      const at = (event) => {
        const box = chart.plot.getBoundingClientRect();
        seek(this.from + ((event.clientX - box.left) / box.width) * (this.to - this.from));
      };
      chart.plot.addEventListener("pointerdown", (event) => {
        chart.plot.setPointerCapture(event.pointerId);
        at(event);
      });
      chart.plot.addEventListener("pointermove", (event) => event.buttons && at(event));
    }
    this.from = recording.time[0] ?? 0;
    this.to = Math.max(recording.time[recording.n - 1] ?? 0, this.from + 1e-9);
    new ResizeObserver(() => this.draw()).observe(host);
  }

  cursor(t, k) {
    const part = (t - this.from) / (this.to - this.from);
    for (const chart of this.charts) {
      chart.cursor.style.transform = `translateX(${part * chart.width}px)`;
      const text = chart.show(k);
      if (chart.value.textContent !== text) chart.value.textContent = text;
    }
  }

  draw() {
    for (const chart of this.charts) this.one(chart);
    this.onDraw?.();
  }

  one(chart) {
    const { canvas, plot } = chart;
    const ratio = window.devicePixelRatio || 1;
    const width = (chart.width = plot.clientWidth);
    const height = plot.clientHeight;
    if (!width || !height) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();

    const map = chart.log ? (v) => Math.log10(Math.max(v, FLOOR)) : (v) => v;
    let [lo, hi] = range(chart.lines.map((l) => l[1]), map);
    if (chart.log) [lo, hi] = [Math.min(lo, -17), Math.max(hi, -8)];
    else if (chart.name !== "energy") lo = Math.min(0, lo);
    if (chart.unit === "m") hi = Math.max(hi, 1e-9); // less is rounding, and drawn as none
    const level = !(hi > lo);
    if (level) hi = lo + (chart.whole ? 1 : Math.abs(lo) || 1);
    const y = (v) => height - 4 - ((map(v) - lo) / (hi - lo)) * (height - 12);

    // two lines of reference with their values
    g.font = `10px ${color("--font")}`;
    g.strokeStyle = color("--rule");
    g.lineWidth = 1;
    const labels = [];
    for (const [v, place, base] of [[hi, 8, "top"], [lo, height - 4, "bottom"]]) {
      g.beginPath();
      g.moveTo(0, place - 0.5);
      g.lineTo(width, place - 0.5);
      g.stroke();
      const text = chart.log ? `1e${Math.round(v)}` : chart.unit ? si(v, chart.unit) : `${Math.round(v)}`;
      if (!level || base === "bottom") labels.push([text, base, base === "top" ? place + 1 : place - 1]);
    }
    if (chart.limit) {
      g.setLineDash([3, 3]);
      g.strokeStyle = color("--warn");
      g.beginPath();
      g.moveTo(0, y(chart.limit));
      g.lineTo(width, y(chart.limit));
      g.stroke();
      g.setLineDash([]);
    }
    const x = (k) => ((this.recording.time[k] - this.from) / (this.to - this.from)) * width;
    chart.lines.forEach(([name, values], index) => {
      const stroke = color(name);
      const path = trace(values, x, y, width);
      if (chart.lines.length === 1) {
        const area = new Path2D(path);
        area.lineTo(x(this.recording.n - 1), height - 4);
        area.lineTo(x(0), height - 4);
        g.globalAlpha = 0.14;
        g.fillStyle = stroke;
        g.fill(area);
        g.globalAlpha = 1;
      }
      g.strokeStyle = stroke;
      g.lineWidth = index === chart.lines.length - 1 ? 1.5 : 1.1;
      g.lineJoin = "round";
      g.stroke(path);
    });
    if (chart.marks) {
      g.fillStyle = color("--warn");
      chart.marks.forEach((on, k) => on && g.fillRect(x(k) - 1, 0, 2, 7));
    }
    // values last, with a halo, for they lie on the lines
    g.lineWidth = 3;
    g.lineJoin = "round";
    g.strokeStyle = color("--page");
    g.fillStyle = color("--faint");
    for (const [text, base, place] of labels) {
      g.textBaseline = base;
      g.strokeText(text, 2, place);
      g.fillText(text, 2, place);
    }
  }
}

const STATUS = ["", "ray", "cycle", "inaccurate", "budget", ""];

function said(stats, k) {
  const notes = [STATUS[stats.status[k]], stats.fallback[k] ? `fallback ${stats.fallback[k]}` : ""].filter(Boolean);
  return [`${stats.pivots[k]}`, ...notes].join(" · ");
}

function range(lists, map) {
  let [lo, hi] = [Infinity, -Infinity];
  for (const values of lists) {
    for (const v of values) {
      const m = map(v);
      if (!Number.isFinite(m)) continue;
      if (m < lo) lo = m;
      if (m > hi) hi = m;
    }
  }
  return lo <= hi ? [lo, hi] : [0, 1];
}

/** A line through the values; where several share a pixel, from the least to the greatest of them. */
function trace(values, x, y, width) {
  const path = new Path2D();
  const n = values.length;
  let begun = false;
  const to = (px, py) => {
    if (!Number.isFinite(py)) return;
    if (begun) path.lineTo(px, py);
    else path.moveTo(px, py);
    begun = true;
  };
  if (n <= 2 * width) {
    for (let k = 0; k < n; k++) to(x(k), y(values[k]));
    return path;
  }
  for (let k = 0; k < n; ) {
    const column = Math.floor(x(k));
    let [lo, hi] = [Infinity, -Infinity];
    for (; k < n && Math.floor(x(k)) === column; k++) {
      lo = Math.min(lo, values[k]);
      hi = Math.max(hi, values[k]);
    }
    to(column, y(lo));
    to(column, y(hi));
  }
  return path;
}
