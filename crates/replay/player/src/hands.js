// The mouse as a hand: a drag that begins on a body pulls it, with Shift it pushes.
import * as THREE from "three";

/** ms from order to order while a hand moves. */
const BEAT = 15;
/** s that a push lasts. */
const PUSH = 0.1;

export class Hands {
  constructor(player, live) {
    this.player = player;
    this.live = live;
    this.held = null;
    this.gain = 1;
    const { canvas } = player.stage;
    const stage = canvas.parentElement;
    // before the camera hears of it
    stage.addEventListener("pointerdown", (e) => e.target === canvas && this.down(e), { capture: true });
    window.addEventListener("pointermove", (e) => this.move(e));
    window.addEventListener("pointerup", () => this.up());
    window.addEventListener("pointercancel", () => this.up());
    window.addEventListener("blur", () => this.up());
    stage.addEventListener("wheel", (e) => this.wheel(e), { capture: true, passive: false });
  }

  down(event) {
    const { player, live } = this;
    if (event.button !== 0 || !live.hands || event.ctrlKey || event.altKey) return;
    const hit = player.interface.hit(event);
    if (!hit || hit.object.userData.body === 0) return;
    const body = hit.object.userData.body;
    const group = player.bodies.groups[body];
    const point = group.worldToLocal(hit.point.clone()).toArray();
    live.present();
    if (event.shiftKey) return this.push(body, point, hit.point);
    player.camera.controls.enabled = false;
    const normal = player.camera.lens.getWorldDirection(new THREE.Vector3());
    this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    this.held = { body, target: hit.point.toArray(), order: { do: "grab", body, point, target: hit.point.toArray(), gain: this.gain }, begun: false, x: event.clientX, y: event.clientY };
  }

  /** A press that does not move is a pick, not a pull. */
  move(event) {
    const { held, player, live } = this;
    if (!held) return;
    this.last = event;
    if (!held.begun) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) <= 4) return;
      held.begun = true;
      live.send(held.order);
      player.pick(held.body);
    }
    const target = player.interface.ray(event).ray.intersectPlane(this.plane, new THREE.Vector3());
    if (!target) return;
    held.target = target.toArray();
    this.tell();
  }

  /** At most one order a beat, and the last one always. */
  tell() {
    const now = performance.now();
    clearTimeout(this.later);
    if (now - (this.told ?? 0) < BEAT) {
      this.later = setTimeout(() => this.tell(), BEAT);
      return;
    }
    this.told = now;
    if (this.held?.begun) this.live.send({ do: "drag", target: this.held.target });
  }

  up() {
    if (!this.held) return;
    clearTimeout(this.later);
    if (this.held.begun) this.live.send({ do: "release" });
    this.held = null;
    this.player.camera.controls.enabled = true;
  }

  /** Nearer and farther while something is held. */
  wheel(event) {
    if (!this.held?.begun) return;
    event.preventDefault();
    event.stopPropagation();
    this.plane.constant += Math.sign(event.deltaY) * 0.05 * this.player.extent.radius;
    if (this.last) this.move(this.last);
  }

  /** Away from the viewer, as hard as ten times its weight. */
  push(body, point, at) {
    const { player, live } = this;
    const weight = 9.81 * (live.settings?.bodies[body]?.mass || 1);
    const force = at.clone().sub(player.camera.lens.position).normalize().multiplyScalar(10 * weight);
    live.send({ do: "push", body, point, force: force.toArray(), seconds: PUSH });
    player.pick(body);
  }
}
