// Charts of every step under the picture; a press or a drag on one seeks.
import { element, si } from "./text.js";

const FLOOR = 1e-17; // residuals below are drawn as this

export class Charts {
  constructor(host, recording, seek) {
    this.recording = recording;
    this.host = host;
    this.seek = seek;
    // a recording that grows has other arrays from frame to frame
    const of = (name) => () => this.recording.stats[name];
    const at = (name, k) => this.recording.stats[name][k];
    const bad = (k) => (at("status", k) > 0 && at("status", k) < 5) || at("fallback", k) > 0;
    this.charts = [];
    const charts = [
      { name: "contacts", lines: [["--series", of("contacts")]], show: (k) => `${at("contacts", k)}`, whole: true },
      { name: "pivots", lines: [["--series", of("pivots")]], marks: bad, show: (k) => said(this.recording.stats, k), whole: true },
      { name: "residual", lines: [["--series", of("residual")]], log: true, limit: 1e-9, show: (k) => (at("residual", k) ? at("residual", k).toExponential(1) : "0") },
      {
        name: "energy",
        lines: [["--series2", of("potential"), "pot."], ["--series3", of("kinetic"), "kin."], ["--series", of("total"), "sum"]],
        unit: "J",
        show: (k) => si(at("total", k), "J"),
      },
      { name: "penetration", lines: [["--series", of("penetration")]], unit: "m", show: (k) => si(at("penetration", k), "m") },
    ];
    if (recording.stats.loopGap.some((x) => x > 0)) {
      charts.push({ name: "loop gap", lines: [["--series", of("loopGap")]], unit: "m", show: (k) => si(at("loopGap", k), "m") });
    }
    charts.forEach((chart) => this.add(chart));
    this.span();
    new ResizeObserver(() => this.draw()).observe(host);
  }

  /** A chart of a number of every frame: `value(k)` in `unit`. */
  follow(name, unit, value) {
    // one that is there already is not asked for twice
    if (this.charts.some((c) => c.free && c.name === name)) return;
    const values = () => Float64Array.from({ length: this.recording.n }, (_, k) => value(k));
    this.add({ name, lines: [["--series", values]], unit, free: true, show: (k) => si(value(k), unit) });
    this.draw();
  }

  remove(chart) {
    chart.box.remove();
    this.charts = this.charts.filter((c) => c !== chart);
    this.draw();
  }

  add(chart) {
    const { host, seek } = this;
    this.charts.push(chart);
    chart.canvas = element("canvas", { "aria-hidden": "true" });
    chart.cursor = element("i");
    chart.value = element("output");
    const keys = chart.lines.filter((l) => l[2]).map(([color, , name]) => element("span", { style: `--c: var(${color})` }, name));
    chart.plot = element("div", { class: "plot" }, chart.canvas, chart.cursor);
    chart.box = element("figure", { "data-chart": chart.name }, element("figcaption", {}, element("b", {}, chart.name), ...keys, chart.value), chart.plot);
    if (chart.free) chart.box.firstChild.append(element("button", { type: "button", title: "close this chart", onclick: () => this.remove(chart) }, "×"));
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

  /** From the first to the last moment there is. */
  span() {
    const { time, n } = this.recording;
    this.from = time[0] ?? 0;
    this.to = Math.max(time[n - 1] ?? 0, this.from + 1e-9);
  }

  cursor(t, k) {
    const part = (t - this.from) / (this.to - this.from);
    for (const chart of this.charts) {
      chart.cursor.style.transform = `translateX(${Math.min(Math.max(part, 0), 1) * chart.width}px)`;
      const text = chart.show(k);
      if (chart.value.textContent !== text) chart.value.textContent = text;
    }
  }

  draw() {
    this.span();
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
    const data = chart.lines.map((l) => l[1]());
    let [lo, hi] = range(data, map);
    if (chart.log) [lo, hi] = [Math.min(lo, -17), Math.max(hi, -8)];
    else if (chart.name !== "energy" && !chart.free) lo = Math.min(0, lo);
    if (chart.unit === "m" && !chart.free) hi = Math.max(hi, 1e-9); // less is rounding, and drawn as none
    const least = 1e-9 * Math.max(1, Math.abs(lo), Math.abs(hi)); // and so is less than this of what is followed
    if (chart.free && hi > lo && hi - lo < least) hi = lo + least;
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
      const text = chart.log ? `1e${Math.round(v)}` : chart.unit || chart.free ? si(v, chart.unit) : `${Math.round(v)}`;
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
    chart.lines.forEach(([name], index) => {
      const values = data[index];
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
      for (let k = 0; k < this.recording.n; k++) if (chart.marks(k)) g.fillRect(x(k) - 1, 0, 2, 7);
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
