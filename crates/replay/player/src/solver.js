// What the solver did in a frame: how it ended, how far it came, and every stage with its time and residual.
import { element, si } from "./text.js";

const STATUS = ["solved", "ray", "cycle", "inaccurate", "out of budget", "nothing to solve"];
const FALLBACK = ["", "from scratch", "convex law", "robust", "without friction", "best iterate"];

export class Solver {
  constructor(recording) {
    this.recording = recording;
    this.head = element("p", { class: "ended" });
    this.table = element("table", { class: "stages" });
    this.element = element("div", { class: "solver" }, this.head, this.table);
  }

  /** Frame k; `seconds` of the solver, if they are known. */
  show(k, seconds) {
    const { stats, stages, meta } = this.recording;
    const note = FALLBACK[stats.fallback[k]];
    const words = [STATUS[stats.status[k]] ?? "?", note && `fallback: ${note}`, `residual ${decades(stats.residual[k])}`, seconds > 0 && si(seconds, "s")];
    const text = words.filter(Boolean).join(" · ");
    if (this.head.textContent !== text) this.head.textContent = text;
    this.head.classList.toggle("bad", (stats.status[k] > 0 && stats.status[k] < 5) || stats.fallback[k] > 0);
    const rows = (stages[k] ?? []).map((s) => [
      meta.stages?.[s.number] ?? `stage ${s.number}`, s.runs > 1 ? `${s.runs}×` : "", s.seconds > 0 ? si(s.seconds, "s") : "", decades(s.after), s.won,
    ]);
    const shape = rows.map((r) => r[0]).join();
    if (shape !== this.shape) {
      this.shape = shape;
      const head = element("tr", {}, ...["stage", "runs", "time", "residual"].map((t) => element("th", {}, t)));
      this.table.replaceChildren(...(rows.length ? [head] : []), ...rows.map(() => element("tr", {}, element("td"), element("td"), element("td"), element("td"))));
    }
    rows.forEach((row, i) => {
      const line = this.table.children[i + 1];
      line.classList.toggle("won", row[4]);
      for (let c = 0; c < 4; c++) if (line.children[c].textContent !== row[c]) line.children[c].textContent = row[c];
    });
  }
}

/** A residual: a power of ten with two digits, or that there is none. */
function decades(x) {
  return !Number.isFinite(x) ? "–" : x ? x.toExponential(1) : "0";
}
