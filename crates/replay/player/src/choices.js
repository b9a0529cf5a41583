// What a chart can follow: one list for runs that are over and runs that go on.
import * as THREE from "three";
import { POSE } from "./data.js";
import { element } from "./text.js";

const PLACE = new THREE.Vector3();

export class Choices {
  constructor(player) {
    this.player = player;
    this.element = element("select", { "aria-label": "add a chart" });
    this.element.addEventListener("change", () => this.add());
    this.refresh();
  }

  /** Everything there is to follow: a heading, then name, unit, number at frame k, and the name of its chart where that is another. */
  list() {
    const { player } = this;
    const { recording, picked, contact } = player;
    const groups = [];
    const run = [];
    if (recording.stats.factor) {
      run.push(["real-time factor", "", (k) => recording.stats.factor[k]], ["time of a step", "s", (k) => recording.stats.seconds[k]]);
    }
    if (player.live || recording.pulls.some((p) => p?.length)) run.push(["force of the hands", "N", (k) => player.pulls.size(k)]);
    groups.push(["run", run]);
    if (picked) {
      const { name } = recording.meta.bodies[picked];
      const at = (k) => k * recording.bodies + picked - 1;
      groups.push([name, [
        [`${name}: height`, "m", (k) => player.up.height(PLACE.fromArray(recording.poses, at(k) * POSE))],
        ...["x", "y", "z"].map((axis, c) => [`${name}: ${axis}`, "m", (k) => recording.poses[at(k) * POSE + c]]),
        [`${name}: speed`, "m/s", (k) => recording.speed[at(k)]],
        [`${name}: spin`, "rad/s", (k) => recording.spin[at(k)]],
        [`${name}: contact force`, "N", (k) => player.contacts.sum(k, picked).force.length()],
      ]]);
    }
    if (contact) {
      const { a, b, point } = contact;
      const of = (what) => (k) => {
        const i = player.contacts.nearest(k, a, b, point);
        return i < 0 ? 0 : what(player.contacts.one(k, i));
      };
      // several contacts may be followed: each chart says whose it is
      const { bodies } = recording.meta;
      const whose = `${bodies[a].name}, ${bodies[b].name} at ${[...point].map((x) => x.toFixed(3)).join(" ")}`;
      groups.push(["contact", [
        ["contact: force", "N", of((c) => Math.hypot(c.press, c.rub)), `force of ${whose}`],
        ["contact: gap", "m", of((c) => c.gap), `gap of ${whose}`],
        ["contact: slip", "m/s", of((c) => c.slip), `slip of ${whose}`],
      ]]);
    }
    groups.push(["joints and sensors", recording.channels.map(({ name, unit, at }) => [name, unit, at])]);
    return groups.filter(([, items]) => items.length);
  }

  refresh() {
    const groups = this.list();
    this.items = groups.flatMap(([, items]) => items);
    let index = 0;
    const option = ([name]) => element("option", { value: index++ }, name);
    this.element.replaceChildren(element("option", { value: "" }, "add a chart of …"),
      ...groups.map(([label, items]) => element("optgroup", { label }, ...items.map(option))));
    this.element.hidden = !index;
  }

  add() {
    const item = this.items[Number(this.element.value)];
    this.element.value = "";
    this.element.blur();
    if (!item) return;
    const [name, unit, value, title] = item;
    this.player.charts.follow(title ?? name, unit, value);
  }
}
