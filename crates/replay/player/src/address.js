// Words behind # in the address.
import { VIEWS } from "./camera.js";

/** What stands behind # in the address; player/README.md lists it. */
export function follow(inter) {
  const { player } = inter;
  const said = new URLSearchParams(location.hash.slice(1));
  const flag = (name) => said.has(name) && said.get(name) !== "0" && said.get(name) !== "no";
  if (said.has("theme")) inter.theme(said.get("theme") === "dark", true);
  const clean = said.get("clean") === "" || flag("clean");
  if (clean !== document.body.classList.contains("clean")) {
    document.body.classList.toggle("clean", clean);
    player.stage.resize();
  }
  for (const [name, key] of [["cones", "k"], ["xray", "x"], ["follow", "f"]]) {
    if (said.has(name) && (inter.toggles[key].getAttribute("aria-pressed") === "true") !== flag(name)) inter.toggles[key].click();
  }
  for (const [name, key] of [["arrows", "a"], ["points", "c"], ["panel", "b"], ["charts", "h"], ["loop", "l"]]) {
    if (said.has(name) && (inter.toggles[key].getAttribute("aria-pressed") === "true") !== flag(name)) inter.toggles[key].click();
  }
  document.body.classList.toggle("plain", said.get("plain") === "" || flag("plain"));
  if (said.has("grid")) player.ground.group.visible = flag("grid");
  if (said.has("gain")) player.contacts.gain = Number(said.get("gain")) || 1;
  if (said.has("speed")) player.speed = Number(said.get("speed")) || 1;
  if (said.has("pick")) {
    const wanted = said.get("pick");
    const k = player.recording.meta.bodies.findIndex((b, i) => i && b.name === wanted);
    player.pick(k > 0 ? k : Number(wanted) > 0 && Number(wanted) <= player.recording.bodies ? Number(wanted) : 0);
  }
  if (VIEWS.includes(said.get("view"))) player.camera.view(said.get("view"));
  if (said.has("camera")) {
    const c = said.get("camera").split(",").map(Number);
    if (c.length === 6 && c.every(Number.isFinite)) {
      player.camera.touched = true;
      player.camera.lens.position.set(...c.slice(0, 3));
      player.camera.controls.target.set(...c.slice(3));
    }
  }
  if (said.has("t")) player.seek(Number(said.get("t")));
  else if (said.has("f")) player.seekFrame(Number(said.get("f")));
  if (flag("play") || said.get("play") === "") player.play(true);
  else if (said.has("t") || said.has("f")) player.play(false);
  player.show(true);
}
