// The player on a simulation that runs: what comes over the wire is the newest frame, and orders go back.
import { Controls } from "./controls.js";
import { Hands } from "./hands.js";
import { Wire } from "./wire.js";

/** ms from drawing of the charts to drawing. */
const CHARTS = 250;
/** How often the length of arrows is found anew, once a second from the start. */
const CALIBRATIONS = 4;
/** ms that pictures wait for the answer to an order: without a graphics card one keeps the page from hearing for longer. */
const ANSWER = 40;
/** Orders that no frame answers, or that come with every move of the mouse. */
const UNANSWERED = ["ack", "drag"];
/** ms between orders that pictures wait for: a slider that moves sends one with every picture, and would see none. */
const APART = 150;

export class Live {
  constructor(player) {
    this.player = player;
    this.feed = player.recording;
    this.running = false;
    this.past = false; // an older frame is looked at
    this.hands = false; // whether this page has them
    this.passive = Boolean(this.feed.meta.passive);
    this.settings = null;
    this.pulse = null;
    this.errors = [];
    this.arrived = 0;
    this.calibrated = 0;
    this.hand = new Hands(player, this);
    this.controls = new Controls(player, this);
    this.wire = new Wire({
      frame: (buffer) => this.frame(buffer),
      words: (words) => this.words(words),
      lost: () => this.controls.connected(false),
      back: () => this.controls.connected(true),
    });
  }

  send(order) {
    const now = performance.now();
    if (!UNANSWERED.includes(order.do)) {
      if (now - (this.ordered ?? -Infinity) > APART) this.asked = now;
      this.ordered = now;
    }
    this.wire.send(order);
  }

  /** Whether a picture begun now would be in the way of an answer. */
  get awaits() {
    return performance.now() - (this.asked ?? -Infinity) < ANSWER;
  }

  frame(buffer) {
    const { seq, running, recording, answer } = this.feed.take(buffer);
    if (answer) this.asked = undefined;
    this.seq = seq;
    this.fresh = true;
    this.arrived++;
    if (running !== this.running) {
      this.running = running;
      this.player.interface.playing();
    }
    this.controls.recording(recording);
  }

  words(words) {
    const { player } = this;
    if (words.kind === "error") {
      this.asked = undefined;
      this.errors.push(words.error);
      player.interface.toast(words.error);
      // what was refused is not so: the fields say again what is
      if (this.settings) this.controls.set(this.settings);
    } else if (words.kind === "hands") {
      this.hands = words.yours;
      this.controls.hands(words.yours);
    } else if (words.kind === "settings") {
      this.settings = words;
      this.bodies(words.added);
      this.controls.set(words);
    } else if (words.kind === "pulse") {
      this.pulse = words;
      this.controls.beat(words);
    }
  }

  /** Bodies that were added since the page was made. */
  bodies(added) {
    const { player } = this;
    const { meta } = this.feed;
    this.base ??= meta.bodies.length;
    const known = JSON.stringify(meta.bodies.slice(this.base));
    if (known === JSON.stringify(added)) return;
    meta.bodies.splice(this.base, Infinity, ...added);
    added.forEach((body, k) => player.bodies.add(body, this.base + k));
    player.interface.list();
    player.interface.heading();
    if (player.picked >= meta.bodies.length) player.pick(0);
  }

  /** Once for every picture: whether there is something new. */
  tick(ms) {
    const { player } = this;
    if (this.fresh) {
      this.fresh = false;
      if (!this.past) player.t = player.to;
      player.show(true);
      const now = performance.now();
      if (this.running) {
        // from frame to frame that is shown; a picture without news is none
        if (this.newsAt) player.rates.add(now - this.newsAt);
        player.stage.adapt(ms);
      }
      this.newsAt = this.running ? now : undefined;
      if (!this.past && now - (this.drawn ?? 0) > CHARTS) {
        this.drawn = now;
        player.charts.draw();
        if (this.pulse) this.controls.beat(this.pulse);
      }
      if (this.calibrated < CALIBRATIONS && now - (this.measured ?? 0) > 1000 && player.contacts.pressed()) {
        this.measured = now;
        this.calibrated++;
        player.contacts.calibrate();
      }
    }
  }

  /** After a picture: the next frame may come. */
  told() {
    if (this.seq === undefined) return;
    // the first picture is coarse to be soon; one that stands is then drawn fine
    if (!this.begun) {
      this.begun = true;
      if (!this.running) this.player.stage.rest();
    }
    this.send({ do: "ack", seq: this.seq });
    this.seq = undefined;
  }

  play(on) {
    if (on) this.present();
    this.send({ do: on ? "run" : "pause" });
  }

  /** Makes the frame that is looked at the present one. */
  present() {
    if (!this.past) return;
    this.past = false;
    this.send({ do: "back", to: this.feed.step[this.player.frame] });
  }

  seek(t) {
    const { player } = this;
    if (this.running) this.send({ do: "pause" });
    player.t = Math.min(Math.max(t, player.from), player.to);
    this.past = player.t < player.to - 1e-9;
    player.show(true);
  }

  step(by) {
    if (by > 0 && !this.past) this.send({ do: "step", n: by });
    else {
      const { time, n } = this.feed;
      this.seek(time[Math.min(Math.max(this.player.frame + by, 0), n - 1)]);
    }
  }
}
