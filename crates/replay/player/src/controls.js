// What can be set while a simulation runs: one panel, built from what the simulation says of itself.
import { MODES } from "./contacts.js";
import { Solver } from "./solver.js";
import { byId, digits, element, si } from "./text.js";

export class Controls {
  constructor(player, live) {
    this.player = player;
    this.live = live;
    this.host = byId("live");
    this.host.hidden = false;
    document.body.classList.add("is-live");
    if (live.passive) document.body.classList.add("passive");
    this.state = element("dl", { class: "state" });
    this.fields = {};
    for (const name of ["real time", "step"]) {
      this.fields[name] = element("dd");
      this.state.append(element("dt", {}, name), this.fields[name]);
    }
    this.banner = element("p", { class: "banner", hidden: true });
    this.take = this.button("take the hands", () => live.send({ do: "take" }));
    this.take.hidden = true;
    this.record = this.button("record", () => live.send({ do: "record", on: !this.rolling }));
    const token = location.search;
    const save = (file, title) => element("a", { href: `/${file}${token}`, download: file, title }, file.split(".")[1]);
    this.saves = element("span", { class: "saves" }, save("run.gud", "the recording"), save("run.html", "the player with the recording"), save("run.mcap", "a log for other tools"),
      save("scene.toml", "the scene with what was changed"), element("a", { href: "#", onclick: (e) => this.png(e), title: "a still" }, "png"));
    this.tape = element("span", { class: "tape" });
    this.scene = element("details", { open: true }, element("summary", {}, "scene"));
    this.body = element("details", { open: true }, element("summary", {}, "body"));
    this.joints = element("details", {}, element("summary", {}, "joints"));
    this.drives = element("details", {}, element("summary", {}, "controls"));
    this.solver = new Solver(player.recording);
    this.host.append(this.banner, this.state, this.solver.element, this.take, element("div", { class: "row" }, this.record, this.tape), element("div", { class: "row" }, "save", this.saves), this.scene, this.body, this.drives, this.joints, player.interface.choices.element);
    this.onPick();
  }

  button(text, action, attributes = {}) {
    return element("button", { type: "button", onclick: action, ...attributes }, text);
  }

  /** A name, a slider and a field for one number; `send(x)` when it is moved. */
  number(name, value, { from, to, log = false, step = "any", unit = "" }, send) {
    const [put, get] = log ? [(x) => Math.log10(Math.max(x, from)), (x) => 10 ** x] : [(x) => x, (x) => x];
    const slider = element("input", { type: "range", min: put(from), max: put(to), step: log ? 0.01 : (to - from) / 500 || "any", "aria-label": name });
    const field = element("input", { type: "number", step, "aria-label": `${name}, number`, title: unit });
    const row = element("label", { class: "number", "data-name": name }, element("span", { title: unit ? `${name}, ${unit}` : name }, name), slider, field);
    // what is rounding beside the range is no number to read
    const short = (x) => (Math.abs(x) < 1e-9 * Math.max(Math.abs(from), Math.abs(to)) ? 0 : Number(x.toPrecision(4)));
    const show = (x) => {
      if (document.activeElement !== slider) slider.value = put(x);
      if (document.activeElement !== field) field.value = short(x);
    };
    show(value);
    slider.addEventListener("input", () => {
      const x = get(Number(slider.value));
      field.value = short(x);
      send(x);
    });
    slider.addEventListener("change", () => slider.blur());
    field.addEventListener("change", () => Number.isFinite(field.valueAsNumber) && send(field.valueAsNumber));
    field.addEventListener("keydown", (event) => event.key === "Enter" && field.blur());
    row.show = show;
    return row;
  }

  /** Fields that stay when the values come again. */
  set(settings) {
    const { live } = this;
    const shape = JSON.stringify([settings.version, settings.keyframes, settings.controls.map((c) => [c.kind, c.names]), settings.joints.length]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(settings);
    }
    this.friction.show(settings.friction);
    this.gravity.forEach((row, k) => row.show(settings.gravity[k]));
    this.dt.show(settings.dt);
    settings.controls.forEach((c, i) => c.values.forEach((x, j) => this.driveRows[i]?.[j]?.show(x)));
    settings.joints.forEach((j, i) => this.forceRows[i]?.show(j.force));
    if (live.player.picked) this.onPick();
  }

  build(settings) {
    const { live } = this;
    this.friction = this.number("friction", settings.friction, { from: 0, to: 2 }, (x) => live.send({ do: "friction", value: x }));
    this.gravity = ["x", "y", "z"].map((axis, k) => this.number(`gravity ${axis}`, settings.gravity[k], { from: -20, to: 20, unit: "m/s²" }, (x) =>
      live.send({ do: "gravity", value: live.settings.gravity.map((g, j) => (j === k ? x : g)) })));
    this.dt = this.number("dt", settings.dt, { from: 1e-4, to: 0.02, log: true, unit: "s" }, (x) => live.send({ do: "dt", value: x }));
    this.strength = this.number("hand", live.hand.gain, { from: 0.1, to: 100, log: true, unit: "stiffness of the hand, as a factor" }, (x) => (live.hand.gain = x));
    const keys = element("span", { class: "keys" }, ...settings.keyframes.map((name, index) => this.button(name, () => live.send({ do: "go", index }))));
    const add = (shape) => this.button(`add a ${shape}`, () => this.add(shape));
    const keep = this.button("keep this pose", () => live.send({ do: "keep", name: `pose ${settings.keyframes.length + 1}` }));
    const parts = [this.friction, ...this.gravity, this.dt, this.strength];
    if (!settings.fixed) parts.push(element("div", { class: "row" }, add("box"), add("ball"), this.button("start again", () => live.send({ do: "reset" }))));
    parts.push(element("div", { class: "row" }, keep, keys));
    this.scene.replaceChildren(this.scene.firstChild, ...parts);

    this.driveRows = settings.controls.map((c, index) => c.names.map((name, j) => {
      const effort = c.effort ?? (c.kind === "force" ? 100 : 10);
      const reach = c.kind === "force" ? effort : c.kind === "motor" ? 10 : Math.PI;
      const [from, to] = c.range ?? [-reach, reach];
      return this.number(name, c.values[j], { from, to, unit: c.kind }, (x) => {
        // the others as they are, not as they are shown
        live.send({ do: "control", index, values: live.settings.controls[index].values.map((y, k) => (k === j ? x : y)) });
      });
    }));
    this.drives.hidden = settings.controls.length === 0;
    this.drives.replaceChildren(this.drives.firstChild, ...this.driveRows.flat());
    this.placeRows = settings.joints.map((j) => this.number(j.name, 0, { from: j.lower ?? -Math.PI, to: j.upper ?? Math.PI, unit: j.turns ? "rad" : "m" }, (x) => live.send({ do: "place", dof: j.dof, value: x })));
    const most = (j) => j.effort ?? 50;
    this.forceRows = settings.joints.map((j) => this.number(`${j.name} force`, j.force, { from: -most(j), to: most(j), unit: j.turns ? "N m" : "N" }, (x) => live.send({ do: "joint", dof: j.dof, force: x })));
    this.joints.hidden = settings.joints.length === 0;
    this.joints.replaceChildren(this.joints.firstChild, ...this.placeRows.flatMap((row, i) => [row, this.forceRows[i]]));
    this.player.interface.choices.refresh();
  }

  /** Above the middle of everything, as large as a typical body. */
  add(shape) {
    const { extent, up } = this.player;
    const { centre, box, body } = extent;
    const size = Math.min(Math.max(0.25 * body, 0.02), 50);
    const tall = box.getSize(centre.clone()).toArray().reduce((sum, x, k) => sum + 0.5 * x * Math.abs(up.axis.getComponent(k)), 0);
    const at = centre.clone().addScaledVector(up.axis, tall + 3 * size);
    this.player.camera.show(at);
    this.live.send({ do: "add", shape, size, at: at.toArray() });
  }

  /** The card of the picked body: mass, friction, fixed or not. */
  onPick() {
    const { player, live } = this;
    const { picked } = player;
    const known = live.settings?.bodies[picked];
    this.body.hidden = !picked || !known;
    if (this.body.hidden) return;
    const pinned = live.settings.pinned.includes(picked);
    if (this.pickedBody !== picked || this.pickedPinned !== pinned) {
      [this.pickedBody, this.pickedPinned] = [picked, pinned];
      this.mass = this.number("mass", known.mass || 1, { from: 1e-2, to: 1e3, log: true, unit: "kg" }, (x) => live.send({ do: "mass", body: picked, value: x }));
      this.rub = this.number("friction", known.friction ?? 0, { from: 0, to: 2 }, (x) => live.send({ do: "friction", value: x, body: picked }));
      const pin = this.button(pinned ? "let go (Y)" : "fix in space (Y)", () => this.pin(), { "aria-pressed": String(pinned) });
      this.body.replaceChildren(this.body.firstChild, this.mass, this.rub, element("div", { class: "row" }, pin));
    }
    this.mass.show(known.mass || 1);
    this.rub.show(known.friction ?? 0);
  }

  pin() {
    const { picked } = this.player;
    if (picked) this.live.send({ do: "pin", body: picked, on: !this.live.settings.pinned.includes(picked) });
  }

  connected(on) {
    this.banner.hidden = on;
    this.banner.textContent = "the simulation does not answer; trying again …";
  }

  hands(yours) {
    this.take.hidden = yours;
    this.host.classList.toggle("watching", !yours);
  }

  recording(on) {
    if (on === this.rolling) return;
    this.rolling = on;
    this.record.textContent = on ? "stop recording" : "record";
    this.record.setAttribute("aria-pressed", String(on));
  }

  /** A few times a second. */
  beat(pulse) {
    const { stats, n } = this.player.recording;
    const k = n - 1;
    const speed = pulse.speed === 0 ? "as fast as it can" : `of ${digits(pulse.speed)}×`;
    this.fields["real time"].textContent = pulse.running ? `${digits(stats.factor[k])}× ${speed}` : "paused";
    this.fields.step.textContent = `${si(stats.seconds[k], "s")}, contacts ${si(stats.collision[k], "s")}`;
    this.solver.show(k, stats.solver[k]);
    this.tape.textContent = pulse.frames ? `${pulse.frames} frames` : "";
    this.saves.classList.toggle("empty", !pulse.frames);
    if (pulse.trouble) {
      this.banner.hidden = false;
      this.banner.textContent = `stopped: ${pulse.trouble}`;
    } else if (this.live.wire.ready) this.banner.hidden = true;
    for (const [j, row] of (this.placeRows ?? []).entries()) if (this.joints.open) row.show(this.player.recording.joint(k, j, 0));
    if (this.player.interface.speed.value !== String(pulse.speed)) this.player.interface.speed.value = String(pulse.speed);
  }

  /** What is on the screen, as a file. */
  png(event) {
    event.preventDefault();
    const { stage, camera } = this.player;
    stage.rest();
    stage.render(camera.lens);
    stage.canvas.toBlob((blob) => {
      const link = element("a", { href: URL.createObjectURL(blob), download: "still.png" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
}

/** The numbers of a contact, for its card. */
export function contactRows(c, names) {
  return [
    ["between", `${names[c.a].name}, ${names[c.b].name}`],
    ["mode", c.mode ?? MODES[0]],
    ["gap", si(c.gap, "m")],
    ["force", `${si(c.press, "N")} along, ${si(c.rub, "N")} across`],
    ["cone", c.friction < 0 ? "not known" : `μ ${digits(c.friction)}, ${c.press > 0 ? Math.round((100 * c.rub) / Math.max(c.friction * c.press, 1e-30)) : 0} % of it used`],
    ["slip", c.slip < 0 ? "not recorded" : si(c.slip, "m/s")],
  ];
}
