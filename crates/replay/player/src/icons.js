// Buttons with pictures.
import { element } from "./text.js";

const ICONS = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M7 5.5h3.5v13H7zM13.5 5.5H17v13h-3.5z",
  back: "M15.5 6v12L7 12z",
  ahead: "M8.5 6v12L17 12z",
  loop: "M17 4l3 3-3 3M20 7H8a4 4 0 0 0-4 4M7 20l-3-3 3-3M4 17h12a4 4 0 0 0 4-4",
  arrows: "M5 17.6 15.2 7.4H9.5V5.5H18.5V14.5h-1.9V8.8L6.4 19z",
  points: "M12 8.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM4 19h16v1.6H4z",
  cones: "M12 20 5.2 7.5C5 5.8 8.2 4.5 12 4.5s7 1.3 6.8 3zM12 6.2c-2.6 0-4.5.700-4.5 1.3s1.9 1.2 4.5 1.2 4.5-.6 4.5-1.2-1.9-1.3-4.5-1.3z",
  follow: "M12 4v3M12 17v3M4 12h3M17 12h3M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  xray: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  theme: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 4.5v15M12 8h4.8M12 12h7M12 16h4.8",
  charts: "M4 19h16M6 15l4-5 3 3 5-7",
  list: "M8 7h11M8 12h11M8 17h11M4.5 7h.5M4.5 12h.5M4.5 17h.5",
  home: "M4 12l8-7 8 7M7 10v9h10v-9",
  help: "M9.2 9.2a2.9 2.9 0 1 1 4.2 2.7c-1 .5-1.4 1-1.4 2.1M12 17.3v.4",
};
const DRAWN = new Set(["loop", "theme", "follow", "xray", "charts", "list", "home", "help"]); // lines, not areas

export function icon(button, name) {
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
}

export function button(name, title, action, pressed) {
  const drawn = DRAWN.has(name) ? "drawn" : "";
  const b = element("button", { type: "button", title, "aria-label": title, "aria-pressed": pressed, class: drawn, onclick: action });
  icon(b, name);
  return b;
}
