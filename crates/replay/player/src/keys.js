// The keyboard, and the page that lists its keys.
import { VIEWS } from "./camera.js";
import { byId, element } from "./text.js";

const KEYS = [
  ["Space", "play, pause"],
  ["← →", "one frame; with Shift ten"],
  ["Home End", "first, last frame"],
  ["< >", "slower, faster"],
  ["L", "loop"],
  ["F", "follow the picked body (or all)"],
  ["N P", "next, previous body"],
  ["Esc", "pick nothing"],
  ["A", "force arrows"],
  ["[ ]", "shorter, longer arrows"],
  ["C", "contact points"],
  ["K", "friction cones"],
  ["X", "see through bodies"],
  ["V", "shapes that touch, in place of those that are seen"],
  ["G", "grid and shadow"],
  ["1 2 3 4", "view from the corner, front, side, top"],
  ["R", "the whole scene again"],
  ["Y", "live: fix the picked body in space, or let it go"],
  ["B", "list of bodies"],
  ["H", "charts"],
  ["U", "nothing but the picture"],
  ["T", "light, dark"],
  ["?", "this list"],
];

/** The list of keys. */
export function help() {
  const table = element("table", {}, ...KEYS.map(([key, what]) => element("tr", {}, element("th", {}, ...key.split(" ").map((k) => element("kbd", {}, k))), element("td", {}, what))));
  const note = element("p", {}, "Drag to turn, drag with the right button to move, wheel to zoom. Press a body or a contact to pick it. Live: drag a body to pull it (wheel: nearer, farther; with Ctrl the drag turns), press it with Shift to push it. Press a chart to go there. Arrows are the force on the picked body, else on the one that can move or is held up; a cone is as high as its normal force.");
  byId("help").append(element("h2", {}, "Keys"), table, note, element("form", { method: "dialog" }, element("button", {}, "close")));
  byId("help").addEventListener("click", (event) => event.target === byId("help") && byId("help").close());
}

/** Whatever a key does. */
export function listen(inter) {
  const { player } = inter;
  const cycle = (by) => {
    const n = player.recording.bodies;
    if (n) player.pick(((player.picked - 1 + by + (player.picked ? 0 : by > 0 ? 0 : 1) + n) % n) + 1);
  };
  const gain = (by) => {
    player.contacts.gain *= by;
    player.show(true);
  };
  const press = {
    " ": () => player.play(),
    ArrowLeft: (e) => player.stepFrames(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => player.stepFrames(e.shiftKey ? 10 : 1),
    Home: () => player.seek(player.from),
    End: () => player.seek(player.to),
    ",": () => inter.faster(-1),
    "<": () => inter.faster(-1),
    ".": () => inter.faster(1),
    ">": () => inter.faster(1),
    n: () => cycle(1),
    p: () => cycle(-1),
    Escape: () => player.pick(0),
    "[": () => gain(1 / 1.3),
    "]": () => gain(1.3),
    v: () => {
      player.bodies.showColliders(!player.bodies.colliders);
      player.dirty = true;
    },
    g: () => {
      player.ground.group.visible = !player.ground.group.visible;
      player.dirty = true;
    },
    r: () => inter.home(),
    y: () => player.live?.controls.pin(),
    u: () => {
      document.body.classList.toggle("clean");
      player.stage.resize();
    },
    t: () => inter.theme(!inter.dark, true),
    "?": () => byId("help").showModal(),
  };
  VIEWS.forEach((name, k) => (press[k + 1] = () => {
    player.camera.touched = false;
    player.camera.view(name);
    player.dirty = true;
  }));
  for (const [key, b] of Object.entries(inter.toggles)) press[key] = () => b.click();
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target.matches("input[type=search], input[type=number], select")) return;
    const act = press[event.key] ?? press[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    act(event);
  });
}
