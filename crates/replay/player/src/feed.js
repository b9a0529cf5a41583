// A recording that grows: the last while of a simulation that runs, in the arrays of a recording.
import { CONTACT, POSE } from "./data.js";

/** Frames kept: twenty seconds at sixty a second. */
const MOST = 1200;
/** Floats of a pull: kind, body, point, target, force. */
export const PULL = 11;
/** Floats of a joint: coordinate, rate, force. */
export const JOINT = 3;
/** Floats of a stage of the solver: number, won, runs, factorisations, residual before and after, seconds. */
const STAGE = 7;
/** Bytes before the floats of a frame; crates/live/src/wire.rs says what they are. */
const HEAD = 108;

const COLUMNS = ["contacts", "pivots", "status", "fallback", "kinetic", "potential", "total", "penetration", "loopGap", "residual", "factor", "seconds", "solver", "collision"];

export class Feed {
  /** `still`: the recording of one frame that the page was made with. */
  constructor(still) {
    this.meta = still.meta;
    this.meshes = still.meshes;
    this.bodies = still.bodies;
    this.joints = 0;
    this.readings = 0;
    this.stages = [];
    // of the joints three each, then of the sensors: as in the frame that the page was made with
    const { channels } = still;
    const joints = channels.length - (still.meta.sensors ?? 0);
    this.channels = channels.map(({ name, unit }, c) => ({
      name, unit, at: c < joints ? (k) => this.turns[k * this.joints * JOINT + c] : (k) => this.senses[k * this.readings + c - joints],
    }));
    this.n = 0;
    this.all = { time: new Float64Array(MOST), step: new Float64Array(MOST) };
    for (const name of COLUMNS) this.all[name] = new Float64Array(MOST);
    this.room();
    this.first = new Uint32Array(MOST + 1);
    this.touch = new Float32Array(CONTACT * 1024);
    this.pulls = [];
    this.hash = "";
    this.copy(still);
    this.view();
  }

  /** Arrays for as many bodies and joints as there are. */
  room() {
    this.poses = new Float32Array(MOST * this.bodies * POSE);
    this.speed = new Float32Array(MOST * this.bodies);
    this.spin = new Float32Array(MOST * this.bodies);
    this.turns = new Float32Array(MOST * this.joints * JOINT);
    this.senses = new Float32Array(MOST * this.readings);
  }

  copy(still) {
    this.poses.set(still.poses.subarray(0, this.bodies * POSE));
    this.all.time[0] = still.time[0];
    this.pulls.push(new Float32Array(0));
    this.n = 1;
  }

  /** What others read has the length of what there is. */
  view() {
    const { n, all } = this;
    this.time = all.time.subarray(0, n);
    this.step = all.step.subarray(0, n);
    this.stats = {};
    for (const name of COLUMNS) this.stats[name] = all[name].subarray(0, n);
  }

  /** Forgets what came before: bodies came or went. */
  clear(bodies, joints, readings) {
    this.bodies = bodies;
    this.joints = joints;
    this.readings = readings;
    this.stages = [];
    this.n = 0;
    this.pulls = [];
    this.first[0] = 0;
    this.room();
  }

  /** Drops the first `k` frames. */
  drop(k) {
    const { n, bodies, joints, readings } = this;
    const shift = (array, width) => array.copyWithin(0, k * width, n * width);
    shift(this.poses, bodies * POSE);
    shift(this.speed, bodies);
    shift(this.spin, bodies);
    shift(this.turns, joints * JOINT);
    shift(this.senses, readings);
    this.stages.splice(0, k);
    for (const name in this.all) shift(this.all[name], 1);
    const from = this.first[k];
    this.touch.copyWithin(0, from * CONTACT, this.first[n] * CONTACT);
    for (let i = k; i <= n; i++) this.first[i - k] = this.first[i] - from;
    this.pulls.splice(0, k);
    this.n -= k;
  }

  /** Takes a frame off the wire; what it says of the clock. */
  take(buffer) {
    const v = new DataView(buffer);
    const u32 = (at) => v.getUint32(at, true);
    const f32 = (at) => v.getFloat32(at, true);
    const [bodies, contacts, pulls, joints, stages, readings] = [32, 36, 40, 44, 48, 52].map(u32);
    const floats = new Float32Array(buffer, HEAD);
    if (u32(0) !== 2 || floats.length !== 9 * bodies + CONTACT * contacts + PULL * pulls + JOINT * joints + STAGE * stages + readings) {
      throw new Error("a frame that this page does not understand");
    }
    const version = u32(24);
    const step = v.getFloat64(16, true);
    if (bodies !== this.bodies || joints !== this.joints || readings !== this.readings) this.clear(bodies, joints, readings);
    // the clock was set back, or stands: what came after is gone
    while (this.n && this.all.step[this.n - 1] >= step) {
      this.n--;
      this.pulls.length = this.stages.length = this.n;
    }
    if (this.n === MOST) this.drop(MOST >> 2);
    const k = this.n++;
    const { all } = this;
    all.time[k] = v.getFloat64(8, true);
    all.step[k] = step;
    const names = ["kinetic", "potential", "penetration", "loopGap", "residual", "factor", "seconds", "solver", "collision"];
    all.pivots[k] = u32(64);
    all.status[k] = v.getUint8(68);
    all.fallback[k] = v.getUint8(69);
    names.forEach((name, i) => (all[name][k] = f32(72 + 4 * i)));
    all.contacts[k] = contacts;
    all.total[k] = all.kinetic[k] + all.potential[k];
    let at = 0;
    for (let b = 0; b < bodies; b++, at += 9) {
      this.poses.set(floats.subarray(at, at + POSE), (k * bodies + b) * POSE);
      this.speed[k * bodies + b] = floats[at + 7];
      this.spin[k * bodies + b] = floats[at + 8];
    }
    this.first[k + 1] = this.first[k] + contacts;
    this.need(this.first[k + 1] * CONTACT);
    this.touch.set(floats.subarray(at, (at += CONTACT * contacts)), this.first[k] * CONTACT);
    this.pulls[k] = floats.slice(at, (at += PULL * pulls));
    this.turns.set(floats.subarray(at, (at += JOINT * joints)), k * joints * JOINT);
    this.stages[k] = Array.from({ length: stages }, () => {
      const [number, won, runs, factorisations, before, after, seconds] = floats.subarray(at, (at += STAGE));
      return { number, won: won > 0, runs, factorisations, before, after, seconds };
    });
    this.senses.set(floats.subarray(at, at + readings), k * readings);
    this.hash = u32(60).toString(16).padStart(8, "0") + u32(56).toString(16).padStart(8, "0");
    this.view();
    return { seq: u32(4), version, running: Boolean(u32(28) & 1), recording: Boolean(u32(28) & 2), answer: Boolean(u32(28) & 4) };
  }

  need(length) {
    if (length <= this.touch.length) return;
    const larger = new Float32Array(2 * length);
    larger.set(this.touch);
    this.touch = larger;
  }

  /** Coordinate (0), rate (1) or force (2) of a joint at frame k. */
  joint(k, j, what) {
    return this.turns[(k * this.joints + j) * JOINT + what];
  }
}
