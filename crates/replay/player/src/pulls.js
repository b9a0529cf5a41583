// What hands do: a line from the point to the hand, an arrow of the force, and its size in newtons.
import * as THREE from "three";
import { PULL } from "./feed.js";
import { element, si } from "./text.js";

const COLORS = [0xe5484d, 0xe5484d, 0x8e4ec6]; // grab, push, pin
const KINDS = ["pull", "push", "held"];

export class Pulls {
  constructor(player, scene) {
    this.player = player;
    this.scene = scene;
    this.shown = [];
    this.force = 0; // of all pulls of the frame on the screen, N
  }

  /** Of frame k: a flat list of floats. */
  at(k) {
    return this.player.recording.pulls?.[k] ?? NONE;
  }

  /** The sum of the sizes at frame k, N. */
  size(k) {
    const list = this.at(k);
    let sum = 0;
    for (let o = 0; o < list.length; o += PULL) sum += Math.hypot(list[o + 8], list[o + 9], list[o + 10]);
    return sum;
  }

  update(k) {
    const list = this.at(k);
    const count = list.length / PULL;
    this.force = this.size(k);
    while (this.shown.length < count) this.shown.push(this.make());
    const { contacts } = this.player;
    this.shown.forEach((s, i) => {
      const on = i < count;
      s.line.visible = s.arrow.visible = on;
      s.label.hidden = !on;
      if (!on) return;
      const o = i * PULL;
      const kind = list[o];
      P.fromArray(list, o + 2);
      T.fromArray(list, o + 5);
      F.fromArray(list, o + 8);
      const size = F.length();
      s.line.geometry.setFromPoints([P, T]);
      s.line.material.color.set(COLORS[kind]);
      const length = Math.min(size * contacts.unit * contacts.gain, 2 * contacts.longest);
      s.arrow.visible = length > 2 * contacts.thick;
      s.arrow.position.copy(P);
      if (size > 0) s.arrow.setDirection(D.copy(F).divideScalar(size));
      s.arrow.setLength(Math.max(length, 1e-6), Math.min(0.3 * length, 10 * contacts.thick), Math.min(0.15 * length, 5 * contacts.thick));
      s.arrow.setColor(COLORS[kind]);
      s.point.copy(P);
      const text = `${KINDS[kind]} ${si(size, "N")}`;
      if (s.label.textContent !== text) s.label.textContent = text;
    });
  }

  make() {
    const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ color: COLORS[0], dashSize: 0.02, gapSize: 0.01, depthTest: false }));
    line.frustumCulled = false;
    line.renderOrder = 8;
    const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, COLORS[0]);
    arrow.line.material.depthTest = arrow.cone.material.depthTest = false;
    arrow.line.frustumCulled = arrow.cone.frustumCulled = false;
    arrow.line.renderOrder = arrow.cone.renderOrder = 9;
    this.scene.add(line, arrow);
    const label = element("div", { class: "pull" });
    document.getElementById("stage").append(label);
    return { line, arrow, label, point: new THREE.Vector3() };
  }

  /** The words beside their arrows. */
  tags() {
    for (const { label, point } of this.shown) {
      if (label.hidden) continue;
      const [x, y] = this.player.interface.onScreen(point);
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}

const NONE = new Float32Array(0);
const [P, T, F, D] = Array.from({ length: 4 }, () => new THREE.Vector3());
