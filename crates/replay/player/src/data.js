// The recording as crates/replay/src/pack.rs wrote it, back into arrays.
import { inflateSync } from "fflate";

/** Floats of a pose: position, then quaternion w x y z. */
export const POSE = 7;
/** Floats of a contact: a, b, mode, point, normal, force on a, gap, friction, speed of slip (negative: not known). */
export const CONTACT = 15;

export function load() {
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const text = atob(document.getElementById("data").textContent.trim());
  const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
  return decode(meta, inflateSync(packed));
}

function decode(meta, bytes) {
  const { frames: n, scales } = meta;
  const bodies = meta.bodies.length - 1; // body 0 is the world and does not move
  let at = 0;
  const words = (Type, count) => new Type(bytes.slice(at, (at += 4 * count)).buffer);
  const [kinetic, potential, penetration, loopGap, residual] = Array.from({ length: 5 }, () => words(Float32Array, n));
  const meshes = meta.meshes.map(([vertices]) => ({ vertices: words(Float32Array, vertices) }));
  meta.meshes.forEach(([, corners], k) => (meshes[k].triangles = words(Uint32Array, corners)));

  const varint = () => {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * unit;
      if (byte < 128) break;
      unit *= 128; // beyond 32 bits shifts would wrap
    }
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  const curve = (put) => {
    let before = 0;
    let last = 0;
    for (let k = 0; k < n; k++) {
      const value = varint() + (k < 2 ? last : 2 * last - before);
      put(k, value);
      before = last;
      last = value;
    }
  };
  const column = (scale = 1) => {
    const out = new Float64Array(n);
    curve((k, v) => (out[k] = v * scale));
    return out;
  };
  const expand = (v, small) => small * Math.sinh(v / scales.per_e);

  const time = column(scales.time);
  const [contacts, pivots, status, fallback] = [column(), column(), column(), column()];
  const poses = new Float32Array(n * bodies * POSE);
  const speed = new Float32Array(n * bodies);
  const spin = new Float32Array(n * bodies);
  for (let b = 0; b < bodies; b++) {
    for (let c = 0; c < POSE; c++) {
      const scale = c < 3 ? scales.place : scales.turn;
      curve((k, v) => (poses[(k * bodies + b) * POSE + c] = v * scale));
    }
    curve((k, v) => (speed[k * bodies + b] = expand(v, scales.speed)));
    curve((k, v) => (spin[k * bodies + b] = expand(v, scales.spin)));
  }

  const first = new Uint32Array(n + 1); // contacts of frame k: first[k] to first[k + 1]
  const touch = new Float32Array(meta.contacts * CONTACT);
  let before = [];
  for (let k = 0; k < n; k++) {
    const count = varint();
    first[k + 1] = first[k] + count;
    const now = [];
    for (let i = 0; i < count; i++) {
      const parent = varint();
      const was = parent ? before[parent - 1] : { a: varint(), b: varint(), mu: varint(), x: new Float64Array(11) };
      const mode = varint();
      const x = new Float64Array(11);
      for (let c = 0; c < 11; c++) x[c] = was.x[c] + varint();
      now.push({ a: was.a, b: was.b, mu: was.mu, x });
      const o = (first[k] + i) * CONTACT;
      touch[o] = was.a;
      touch[o + 1] = was.b;
      touch[o + 2] = mode;
      for (let c = 0; c < 3; c++) {
        touch[o + 3 + c] = x[c] * scales.place;
        touch[o + 6 + c] = x[3 + c] * scales.turn;
        touch[o + 9 + c] = expand(x[6 + c], scales.force);
      }
      touch[o + 12] = expand(x[9], scales.place);
      touch[o + 13] = was.mu < 0 ? -1 : was.mu * scales.friction;
      touch[o + 14] = x[10] < 0 ? -1 : expand(x[10], scales.speed);
    }
    before = now;
  }

  const channels = (meta.channels ?? []).map(({ name, unit, small }) => {
    const values = new Float32Array(n);
    curve((k, v) => (values[k] = expand(v, small)));
    return { name, unit, at: (k) => values[k] };
  });
  const stages = Array.from({ length: n }, () => Array.from({ length: varint() }, () => stage(varint)));

  const total = kinetic.map((x, k) => x + potential[k]);
  const stats = { contacts, pivots, status, fallback, kinetic, potential, total, penetration, loopGap, residual };
  const solverSeconds = channels.find((c) => c.name === "time of the solver");
  return { meta, n, bodies, meshes, time, stats, solverSeconds, poses, speed, spin, first, touch, channels, stages, pulls: pulls(meta, n) };
}

/** What a stage of the solver did in a frame; see crates/replay/src/channels.rs. */
function stage(varint) {
  const decades = (x) => (x === 1e6 ? Infinity : 10 ** (x / 100));
  const [number, won, runs, factorisations, seconds, before, after] = Array.from({ length: 7 }, varint);
  return { number, won: won > 0, runs, factorisations, seconds: 1e-7 * seconds, before: decades(before), after: decades(after) };
}

/** What hands did, by frame, as floats: see feed.js. */
function pulls(meta, n) {
  const out = [];
  const kinds = { grab: 0, push: 1, pin: 2 };
  for (const [frame, kind, body, point, target, force] of meta.pulls ?? []) {
    if (frame < n) out[frame] = Float32Array.of(...(out[frame] ?? []), kinds[kind] ?? 0, body, ...point, ...target, ...force);
  }
  return out;
}

/** The frame shown at a time: the last one not after it. */
export function frameAt(time, t) {
  let lo = 0;
  let hi = time.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (time[mid] <= t + 1e-9) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}
