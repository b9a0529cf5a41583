// Buttons, lists, keys, and the words around the picture.
import * as THREE from "three";
import { MODE_COLORS } from "./contacts.js";
import { follow } from "./address.js";
import { Choices } from "./choices.js";
import { contactRows } from "./controls.js";
import { button, icon } from "./icons.js";
import { help, listen } from "./keys.js";
import { Solver } from "./solver.js";
import { byId, digits, element, si, trimmed } from "./text.js";

const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** 0 is as fast as it can. */
const LIVE_SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 0];

export class Interface {
  constructor(player) {
    this.player = player;
    player.interface = this; // what is set up here already shows itself
    const { meta } = player.recording;
    this.heading();
    this.bar();
    this.panel();
    this.legend();
    help();
    listen(this);
    this.mouse();
    follow(this);
    window.addEventListener("hashchange", () => follow(this));
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => !this.chosen && this.theme(system.matches));
    if (this.chosen === undefined) this.theme(meta.theme === "system" ? system.matches : meta.theme === "dark");
    byId("poster").addEventListener("click", () => player.play(true));
    if (meta.live) this.began();
  }

  /** What is shown, in a line. */
  heading() {
    const { player } = this;
    const { meta, n } = player.recording;
    const bodies = meta.bodies.length - 1;
    const run = player.to - player.from;
    byId("heading").querySelector("h1").textContent = meta.title;
    const facts = [
      meta.title === meta.scene ? null : meta.scene,
      `${bodies} ${bodies === 1 ? "body" : "bodies"}`,
      ...(meta.live ? ["live"] : [`${digits(run)} s`, meta.dt ? `dt ${si(meta.dt, "s")}` : null, n < meta.steps ? `${n} of ${meta.steps} frames shown` : `${n} frames`]),
    ];
    byId("heading").querySelector("p").textContent = facts.filter(Boolean).join(" · ");
  }

  bar() {
    const { player } = this;
    const { show } = player.contacts;
    this.playButton = button("play", "play (space)", () => player.play());
    this.scrub = element("input", { type: "range", min: 0, max: Math.max(player.recording.n - 1, 0), step: "any", value: 0, "aria-label": "time" });
    this.scrub.addEventListener("input", () => player.seek(this.timeOf(Number(this.scrub.value))));
    this.scrub.addEventListener("change", () => this.scrub.blur());
    this.clock = element("output", { class: "clock" });
    this.speed = element("select", { title: "speed (< and >)", "aria-label": "speed" }, ...this.speeds().map((s) => element("option", { value: s, selected: s === 1 }, s ? `${s}×` : "max")));
    this.speed.addEventListener("change", () => {
      this.setSpeed(Number(this.speed.value));
      this.speed.blur();
    });
    const toggle = (icon, title, get, set) => {
      const b = button(icon, title, () => {
        set(!get());
        b.setAttribute("aria-pressed", get());
      }, String(get()));
      b.refresh = () => b.setAttribute("aria-pressed", get());
      return b;
    };
    const shown = (what) => (on) => {
      show[what] = on;
      player.show(true);
    };
    this.toggles = {
      l: toggle("loop", "loop (L)", () => player.loop, (on) => (player.loop = on)),
      a: toggle("arrows", "force arrows (A)", () => show.arrows, shown("arrows")),
      c: toggle("points", "contact points (C)", () => show.points, shown("points")),
      k: toggle("cones", "friction cones (K)", () => show.cones, (on) => this.showCones(on)),
      x: toggle("xray", "see through bodies (X)", () => player.bodies.xray, (on) => {
        player.bodies.showThrough(on);
        player.dirty = true;
      }),
      f: toggle("follow", "follow (F)", () => player.following, (on) => {
        player.following = on;
        player.camera.last = null;
        player.show();
      }),
      b: toggle("list", "bodies (B)", () => !document.body.classList.contains("no-panel"), (on) => {
        document.body.classList.toggle("no-panel", !on);
        player.stage.resize();
      }),
      h: toggle("charts", "charts (H)", () => !document.body.classList.contains("no-charts"), (on) => document.body.classList.toggle("no-charts", !on)),
    };
    const { l, a, c, k, x, f, b, h } = this.toggles;
    byId("bar").append(
      button("back", "frame back (←)", () => player.stepFrames(-1)),
      this.playButton,
      button("ahead", "frame ahead (→)", () => player.stepFrames(1)),
      this.clock,
      this.scrub,
      this.speed,
      ...(player.recording.meta.live ? [] : [l]),
      element("hr"), a, c, k, x, f,
      element("hr"),
      button("home", "whole scene (R)", () => this.home()),
      b, h,
      button("theme", "light, dark (T)", () => this.theme(!this.dark, true)),
      button("help", "keys (?)", () => byId("help").showModal()),
    );
  }

  speeds() {
    return this.player.recording.meta.live ? LIVE_SPEEDS : SPEEDS;
  }

  setSpeed(x) {
    this.player.speed = x;
    this.player.live?.send({ do: "speed", x });
  }

  home() {
    const { player } = this;
    player.following = false;
    this.toggles.f.refresh();
    player.camera.touched = false;
    player.camera.view("corner");
    player.dirty = true;
  }

  showCones(on) {
    const { contacts } = this.player;
    contacts.show.cones = on;
    if (on && !contacts.known) this.toast("This recording does not tell the coefficient of friction: no cones.");
    this.player.show(true);
  }

  timeOf(place) {
    const { time, n } = this.player.recording;
    const k = Math.min(Math.floor(place), n - 1);
    const next = Math.min(k + 1, n - 1);
    return time[k] + (place - k) * (time[next] - time[k]);
  }

  panel() {
    const { player } = this;
    const { meta } = player.recording;
    this.card = element("div", { class: "card", hidden: true });
    this.touchCard = element("div", { class: "card contact", hidden: true });
    this.bodyList = element("ul");
    this.filter = element("input", { type: "search", "aria-label": "find a body" });
    this.filter.addEventListener("input", () => this.sift());
    this.list();
    byId("panel").append(this.card, this.touchCard, this.filter, this.bodyList);
    this.choices = new Choices(player);
    if (!meta.live) {
      this.solver = new Solver(player.recording);
      byId("panel").append(element("details", { class: "card" }, element("summary", {}, "solver"), this.solver.element), this.choices.element);
    }
    if (window.innerWidth < 760) document.body.classList.add("no-panel");
    this.toggles.b.refresh();
  }

  /** The names of the bodies. */
  list() {
    const { player } = this;
    const { meta } = player.recording;
    this.rows = [null];
    const list = this.bodyList;
    list.replaceChildren();
    meta.bodies.slice(1).forEach((body, k) => {
      const row = element("button", { type: "button", onclick: () => player.pick(player.picked === k + 1 ? 0 : k + 1) },
        element("i", { style: `background:${player.bodies.swatch(k + 1)}` }), element("span", {}, body.name));
      row.classList.toggle("on", player.picked === k + 1);
      this.rows.push(row);
      list.append(element("li", {}, row));
    });
    this.filter.placeholder = `find among ${meta.bodies.length - 1}`;
    this.filter.hidden = meta.bodies.length < 14;
    this.sift();
  }

  /** Leaves the names that have what is looked for. */
  sift() {
    const wanted = this.filter.value.trim().toLowerCase();
    this.player.recording.meta.bodies.slice(1).forEach((b, k) => (this.rows[k + 1].parentElement.hidden = !b.name.toLowerCase().includes(wanted)));
  }

  legend() {
    const dot = (mode) => element("span", {}, element("i", { style: `background:#${MODE_COLORS[mode].toString(16).padStart(6, "0")}` }), mode);
    this.ruler = element("span", { class: "ruler" }, element("i"), element("b"));
    byId("legend").append(dot("stick"), dot("slip"), dot("open"), this.ruler);
    this.scale();
  }

  /** How long a force is drawn; at the distance of the camera's target. */
  scale() {
    const { contacts, camera, stage, ground } = this.player;
    const { newtons, metres } = contacts.scale();
    const perMetre = stage.canvas.clientHeight / (2 * camera.away() * Math.tan((camera.lens.fov * Math.PI) / 360));
    const text = `${trimmed(newtons)} N · grid ${trimmed(ground.cell)} m`;
    this.ruler.firstChild.style.width = `${Math.min(Math.max(metres * perMetre, 2), 240).toFixed(0)}px`;
    if (this.ruler.lastChild.textContent !== text) this.ruler.lastChild.textContent = text;
  }

  faster(by) {
    const speeds = this.speeds();
    const x = speeds[Math.min(Math.max(speeds.indexOf(this.player.speed) + by, 0), speeds.length - 1)];
    this.setSpeed(x);
    this.speed.value = String(x);
    this.toast(x ? `${x}×` : "as fast as it can");
  }

  /** A press that is not a drag picks. */
  mouse() {
    const { player } = this;
    const { canvas } = player.stage;
    let down = null;
    canvas.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
    canvas.addEventListener("pointerup", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4 || e.button !== 0) return;
      const touched = player.contacts.under(this.ray(e));
      player.pickContact(touched);
      const hit = touched < 0 ? this.hit(e) : null;
      if (touched < 0) player.pick(hit ? hit.object.userData.body : 0);
    });
  }

  /** From the eye through the mouse. */
  ray(event) {
    const { stage, camera } = this.player;
    const box = stage.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, camera.lens);
    ray.layers.enableAll();
    return ray;
  }

  /** The first body under the mouse. */
  hit(event) {
    const { bodies } = this.player;
    const seen = bodies.pickable.filter((m) => m.visible && m.parent.visible);
    return this.ray(event).intersectObjects(seen, false)[0];
  }

  theme(dark, chosen) {
    if (chosen) this.chosen = true;
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.player.theme(dark);
  }

  began() {
    byId("poster").hidden = true;
  }

  playing() {
    const { live } = this.player;
    const playing = live ? live.running : this.player.playing;
    if (playing) {
      this.began();
      this.player.stage.resume();
    } else if (live) {
      this.player.stage.rest();
      this.player.measure();
    }
    icon(this.playButton, playing ? "pause" : "play");
    this.playButton.setAttribute("aria-label", playing ? "pause (space)" : "play (space)");
  }

  picked() {
    const { picked, recording } = this.player;
    this.rows.forEach((row, k) => row?.classList.toggle("on", k === picked));
    this.card.hidden = !picked;
    this.card.replaceChildren();
    if (!picked) return;
    this.fields = {};
    const field = (name) => {
      this.fields[name] = element("dd");
      return [element("dt", {}, name), this.fields[name]];
    };
    const names = ["speed", "spin", "place, m", "contact force", "sideways", "contacts"];
    this.card.append(element("h2", {}, recording.meta.bodies[picked].name), element("dl", {}, ...names.flatMap(field)));
    this.rows[picked].scrollIntoView({ block: "nearest" });
  }

  /** Everything that changes with the clock. */
  show() {
    const { player } = this;
    const { recording, t, frame, picked } = player;
    const { time, n } = recording;
    const step = frame + 1 < n ? time[frame + 1] - time[frame] : 1;
    const place = Math.max(frame, 0) + Math.min(Math.max((t - time[frame]) / (step || 1), 0), 1);
    if (player.live) this.scrub.max = Math.max(n - 1, 1);
    if (document.activeElement !== this.scrub || player.playing) this.scrub.value = place;
    this.scrub.style.setProperty("--done", `${(100 * place) / Math.max(n - 1, 1)}%`);
    const text = `${t.toFixed(3)} s`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.scale();
    if (player.contact) this.contactCard();
    this.solver?.show(Math.max(frame, 0), player.recording.solverSeconds?.at(Math.max(frame, 0)));
    if (!picked) return;
    const sum = player.contacts.sum(frame, picked);
    const k = frame * recording.bodies + picked - 1;
    const p = player.bodies.groups[picked].position;
    const { fields } = this;
    fields.speed.textContent = si(recording.speed[k], "m/s");
    fields.spin.textContent = si(recording.spin[k], "rad/s");
    fields["place, m"].textContent = [p.x, p.y, p.z].map((x) => x.toFixed(3)).join(" ");
    fields["contact force"].textContent = si(sum.force.length(), "N");
    fields.sideways.textContent = si(player.up.sideways(sum.force), "N");
    fields.contacts.textContent = sum.contacts ? ["stick", "slip", "open"].filter((m) => sum[m]).map((m) => `${sum[m]} ${m}`).join(", ") : "none";
  }

  /** The numbers of the contact that was pressed, while it lasts. */
  contactCard() {
    const { contacts, contact, frame, recording } = this.player;
    const i = contact ? contacts.nearest(frame, contact.a, contact.b, contact.point) : -1;
    this.touchCard.hidden = !contact;
    if (!contact) return;
    if (i < 0) {
      this.touchCard.replaceChildren(element("h2", {}, "contact"), "open: they do not touch here");
      return;
    }
    const c = contacts.one(frame, i);
    contact.point = c.point;
    const rows = contactRows(c, recording.meta.bodies);
    this.touchCard.replaceChildren(element("h2", {}, "contact"), element("dl", {}, ...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])));
  }

  onScreen(place) {
    const { lens } = this.player.camera;
    const box = this.player.stage.canvas.getBoundingClientRect();
    lens.updateMatrixWorld();
    const p = place.clone().project(lens);
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height, p.z];
  }

  /** The name beside the picked body. */
  tag() {
    const { player } = this;
    const tag = byId("tag");
    if (!player.picked) {
      tag.hidden = true;
      return;
    }
    const [x, y, z] = this.onScreen(player.bodies.groups[player.picked].position);
    tag.hidden = z > 1;
    const text = player.recording.meta.bodies[player.picked].name;
    if (tag.textContent !== text) tag.textContent = text;
    tag.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  toast(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.classList.add("on");
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => toast.classList.remove("on"), 600 + 45 * text.length);
  }
}
