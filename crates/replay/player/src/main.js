// The player: one recording, finished or growing, one clock, and everything that shows it.
import * as THREE from "three";
import { Bodies } from "./bodies.js";
import { Camera } from "./camera.js";
import { Charts } from "./charts.js";
import { Contacts } from "./contacts.js";
import { POSE, frameAt, load } from "./data.js";
import { Feed } from "./feed.js";
import { Ground } from "./ground.js";
import { Interface } from "./interface.js";
import { Live } from "./live.js";
import { Pulls } from "./pulls.js";
import { Stage } from "./stage.js";
import { Up } from "./up.js";

/** ms from numbers to numbers of what runs, where the processor draws: each change is laid out and painted anew. */
const NUMBERS = 100;

class Player {
  constructor(loaded) {
    performance.mark("loaded");
    const recording = loaded.meta.live ? new Feed(loaded) : loaded;
    this.recording = recording;
    this.stage = new Stage(document.getElementById("view"), () => (this.dirty = true), recording.meta);
    performance.mark("stage");
    const { scene } = this.stage;
    this.bodies = new Bodies(recording, scene, this.stage.fast);
    this.up = new Up(recording.meta.gravity);
    this.extent = this.bodies.extent(this.up);
    this.ground = new Ground(this.bodies.planes, this.extent, this.up, scene);
    this.contacts = new Contacts(recording, this.extent, scene, this.stage.fast);
    this.camera = new Camera(this.stage.canvas, this.extent, this.up, () => (this.dirty = true));
    this.stage.lights(this.extent, this.up);
    this.stage.onRung = ({ shadows, round, edges }) => {
      this.ground.shade(shadows);
      this.bodies.detail(round, edges);
      this.contacts.detail(round);
    };
    this.stage.onRung(this.stage.detail);
    this.stage.onRender = (light, eye) => {
      this.bodies.gather(this.picked, light, eye);
      this.contacts.gather(light, eye);
    };
    this.path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x3f83f8, transparent: true, opacity: 0.8 }));
    this.path.frustumCulled = false;
    this.path.visible = false;
    scene.add(this.path);

    performance.mark("shapes");
    this.pulls = new Pulls(this, scene);
    this.t = this.from;
    this.frame = -1;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.picked = 0; // the world is never picked
    this.contact = null; // the one whose card is shown: its bodies and place
    this.following = false;
    this.dirty = true;
    this.rates = new Recent(); // ms from picture to picture while playing
    this.costs = new Recent(); // ms of script for one, without what the graphics card or its software does
    this.middle = new THREE.Vector3();

    this.charts = new Charts(document.getElementById("charts"), recording, (t) => this.seek(t));
    this.interface = new Interface(this);
    this.charts.onDraw = () => this.charts.cursor(this.t, Math.max(this.frame, 0));
    if (recording.meta.live) this.live = new Live(this);
    this.charts.draw();
    this.stage.onResize = (w, h) => {
      const panel = document.getElementById("panel");
      this.camera.resize(w, h, w > 760 ? panel.offsetWidth + (panel.offsetWidth && 12) : 0);
      this.dirty = true;
    };
    this.stage.resize();
    this.show();
    let last = performance.now();
    const tick = (now) => {
      requestAnimationFrame(tick);
      if (this.live?.awaits) return;
      const began = performance.now();
      this.step(now - last);
      last = now;
      if (this.playing) this.costs.add(performance.now() - began);
    };
    requestAnimationFrame(tick);
  }

  get from() {
    return this.recording.time[0] ?? 0;
  }

  get to() {
    return this.recording.time[this.recording.n - 1] ?? 0;
  }

  /** One picture: the clock by `ms`, then what changed. */
  step(ms) {
    if (this.live) this.live.tick(ms);
    else if (this.playing) {
      // a tab that slept does not leap
      this.t += (Math.min(ms, 250) / 1000) * this.speed;
      if (this.t >= this.to) {
        if (this.loop) this.t = this.to > this.from ? this.from + ((this.t - this.from) % (this.to - this.from)) : this.from;
        else {
          this.t = this.to;
          this.play(false);
        }
      }
      this.rates.add(ms);
      this.stage.adapt(ms);
      this.show();
    }
    this.camera.controls.update();
    if (this.dirty) {
      this.dirty = false;
      this.resizeMarks();
      this.stage.render(this.camera.lens);
      this.interface.tag();
      this.pulls.tags();
      this.live?.told();
      this.pictures = (this.pictures ?? 0) + 1;
      if (this.pictures === 1) performance.mark("picture");
    }
  }

  /** Points and arrows keep their size on the screen when the camera moves. */
  resizeMarks() {
    this.home ??= this.camera.distance(this.up.of(0.5, -0.8, 0.34));
    const size = Math.min(Math.max(this.camera.away() / this.home, 0.15), 4);
    if (Math.abs(size / this.contacts.size - 1) > 0.04) {
      this.contacts.size = size;
      this.contacts.update(Math.max(this.frame, 0), this.picked);
    }
  }

  /** Puts everything at the clock's time. */
  show(again = false) {
    const { time, n } = this.recording;
    if (!n) return;
    const k = frameAt(time, this.t);
    const step = k + 1 < n ? time[k + 1] - time[k] : 0;
    this.stage.renderer.shadowMap.needsUpdate = true;
    this.bodies.pose(k, step > 0 ? Math.min(Math.max((this.t - time[k]) / step, 0), 1) : 0);
    if (k !== this.frame || again) {
      this.frame = k;
      this.contacts.update(k, this.picked);
      this.pulls.update(k);
    }
    if (this.following) this.camera.follow(this.place());
    const now = performance.now();
    if (!(this.stage.fast && this.live?.running) || now - (this.numbered ?? 0) > NUMBERS) {
      this.numbered = now;
      this.charts.cursor(this.t, k);
      this.interface.show();
    }
    this.dirty = true;
  }

  /** Where the followed body is; without one, the middle of all. */
  place() {
    if (this.picked) return this.bodies.groups[this.picked].position;
    const { groups } = this.bodies;
    this.middle.set(0, 0, 0);
    for (let b = 1; b < groups.length; b++) this.middle.add(groups[b].position);
    return this.middle.divideScalar(Math.max(this.recording.bodies, 1));
  }

  play(on = !(this.live ? this.live.running && !this.live.past : this.playing)) {
    if (this.live) return this.live.play(on);
    if (on && this.t >= this.to - 1e-9) this.t = this.from;
    this.playing = on;
    this.measure();
    if (!on) this.stage.rest();
    this.interface.playing();
    this.dirty = true;
  }

  seek(t) {
    if (this.live) return this.live.seek(t);
    this.t = Math.min(Math.max(t, this.from), this.to);
    this.interface.began();
    this.show();
  }

  seekFrame(k) {
    const { time, n } = this.recording;
    this.seek(time[Math.min(Math.max(Math.round(k), 0), n - 1)]);
  }

  stepFrames(by) {
    if (this.live) return this.live.step(by);
    this.play(false);
    this.seekFrame(this.frame + by);
  }

  pick(body) {
    this.picked = body;
    this.bodies.highlight(body);
    this.camera.last = null;
    if (!this.live) this.drawPath();
    this.interface.picked();
    this.live?.controls.onPick();
    this.interface.choices.refresh();
    this.show(true);
  }

  /** Shows the card of a contact of the frame on the screen; none for -1. */
  pickContact(i) {
    const c = i < 0 ? null : this.contacts.one(this.frame, i);
    this.contact = c && { a: c.a, b: c.b, point: c.point };
    this.interface.contactCard();
    this.interface.choices.refresh();
    this.dirty = true;
  }

  drawPath() {
    this.path.visible = this.picked > 0;
    if (!this.picked) return;
    const { poses, bodies, n } = this.recording;
    const places = new Float32Array(3 * n);
    for (let k = 0; k < n; k++) {
      const i = (k * bodies + this.picked - 1) * POSE;
      places.set(poses.subarray(i, i + 3), 3 * k);
    }
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3));
  }

  theme(dark) {
    this.ground.theme(dark);
    this.stage.theme(dark);
    this.contacts.stale = true;
    this.charts.draw();
    this.dirty = true;
  }

  /** Forgets what was measured. */
  measure() {
    this.rates.clear();
    this.costs.clear();
  }
}

/** The mean of the last numbers, in memory that is there already. */
class Recent {
  constructor() {
    this.values = new Float64Array(240);
    this.count = 0;
  }

  add(x) {
    this.values[this.count++ % this.values.length] = x;
  }

  clear() {
    this.count = 0;
  }

  mean() {
    const n = Math.min(this.count, this.values.length);
    let sum = 0;
    for (let k = 0; k < n; k++) sum += this.values[k];
    return n ? sum / n : 0;
  }
}

try {
  performance.mark("script");
  const player = new Player(load());
  performance.mark("built");
  // a small handle for tests and for the console
  window.gudgeon = {
    frame: () => player.frame,
    frames: () => player.recording.n,
    time: () => player.t,
    seek: (t) => player.seek(t),
    seekFrame: (k) => player.seekFrame(k),
    play: (on = true) => player.play(on),
    playing: () => (player.live ? player.live.running : player.playing),
    live: () => player.live,
    pull: () => player.pulls.force,
    hash: () => player.recording.hash,
    steps: () => player.recording.step?.[player.recording.n - 1] ?? -1,
    pick: (body) => player.pick(body),
    picked: () => (player.picked ? player.recording.meta.bodies[player.picked].name : null),
    sum: () => player.contacts.sum(player.frame, player.picked).force.toArray(),
    arrows: () => player.contacts.arrows,
    cones: () => player.contacts.cones.count,
    contacts: () => player.recording.first[player.frame + 1] - player.recording.first[player.frame],
    position: (body) => player.bodies.groups[body].position.toArray(),
    onScreen: (body) => player.interface.onScreen(player.bodies.groups[body].position),
    measure: () => player.measure(),
    fps: () => 1000 / player.rates.mean() || 0,
    cost: () => player.costs.mean(),
    pictures: () => player.pictures,
    renderer: () => player.stage.name,
    player,
  };
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  document.documentElement.dataset.ready = "failed";
  const note = document.createElement("p");
  note.id = "failure";
  note.textContent = `This recording cannot be shown: ${error.message ?? error}`;
  document.body.append(note);
  console.error(error);
}
