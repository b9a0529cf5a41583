// Numbers for people, and elements of the page.
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

/** Three digits and a prefix: 12.3 µm. */
export function si(value, unit) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  // less than a thousandth of the least prefix is rounding, of newtons as of metres
  if (size < 1e-13) return `0 ${unit}`.trim();
  if (!unit) return digits(value);
  const [scale, prefix] = PREFIXES.find(([s]) => size >= 0.9995 * s) ?? PREFIXES[PREFIXES.length - 1];
  return `${digits(value / scale)} ${prefix}${unit}`;
}

export function digits(value, n = 3) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-3) return value.toExponential(1);
  return value.toFixed(Math.max(0, n - 1 - Math.floor(Math.log10(size) + 1e-9)));
}

/** A round number without zeros at its end. */
export const trimmed = (value) => String(Number(value.toPrecision(3)));

/** 1, 2 or 5 times a power of ten, not above the value. */
export function round125(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  const lead = value / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}
