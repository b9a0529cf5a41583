// Contact points, force arrows and friction cones of a frame, as instances of a few meshes.
import * as THREE from "three";
import { CONTACT } from "./data.js";
import { Soup, UNSEEN } from "./soup.js";
import { round125 } from "./text.js";

export const MODES = ["open", "stick", "slip"];
/** Told apart in hue and in lightness. */
export const MODE_COLORS = { open: 0x8894a3, stick: 0x12a594, slip: 0xf2682a };

/** Arrows stop growing here, in typical lengths: an impact must not leave the picture. */
const LONGEST = 3;

export class Contacts {
  /** `fast`: without a graphics card every triangle counts. */
  constructor(recording, extent, scene, fast) {
    this.recording = recording;
    this.down = new THREE.Vector3(...(recording.meta.gravity ?? [0, 0, -1]));
    this.known = false; // whether any coefficient of friction is
    for (let o = 13; o < recording.first[recording.n] * CONTACT && !this.known; o += CONTACT) this.known = recording.touch[o] > 0;
    this.known ||= recording.meta.live;
    // a typical strong force is as long as a typical body, within reason
    this.typical = Math.min(Math.max(0.9 * extent.body, 0.1 * extent.radius), 0.4 * extent.radius);
    this.longest = LONGEST * this.typical;
    this.calibrate();
    this.thick = Math.min(0.0065 * extent.radius, 0.045 * extent.body);
    this.gain = 1;
    this.size = 1;
    this.show = { points: true, arrows: true, cones: false };

    let most = 64;
    for (let k = 0; k < recording.n; k++) most = Math.max(most, recording.first[k + 1] - recording.first[k]);
    this.scene = scene;
    this.fast = fast;
    this.room(most);
    this.arrows = 0;
  }

  /** How long a newton is drawn. */
  calibrate() {
    this.unit = this.typical / strong(this.recording);
  }

  /** Whether anything presses in the newest frame. */
  pressed() {
    const { touch, first, n } = this.recording;
    for (let i = first[n - 1]; i < first[n]; i++) if (touch[i * CONTACT + 2]) return true;
    return false;
  }

  /** Meshes for as many contacts. */
  room(most) {
    for (const mesh of this.made ?? []) {
      this.scene.remove(mesh);
      mesh.dispose();
    }
    this.made = [];
    this.most = most;
    this.arrowed = [];
    const { fast } = this;
    const colored = () => new THREE.MeshLambertMaterial({ color: 0xffffff, emissive: 0xffffff, emissiveIntensity: 0.12 });
    // twice: lit where it is in sight, faint through what hides it
    const faint = () => new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.34, depthTest: false, depthWrite: false });
    const pair = (geometry) => {
      const front = new THREE.InstancedMesh(geometry, colored(), most);
      front.setColorAt(0, C.set(0));
      front.frustumCulled = false;
      front.renderOrder = 6;
      this.add(front);
      if (fast) {
        front.layers.set(UNSEEN);
        return [front];
      }
      const behind = new THREE.InstancedMesh(geometry, faint(), most);
      behind.instanceMatrix = front.instanceMatrix;
      behind.instanceColor = front.instanceColor;
      behind.renderOrder = 5;
      behind.frustumCulled = false;
      this.add(behind);
      return [front, behind];
    };
    const upright = (g) => g.rotateX(Math.PI / 2);
    this.points = pair(fast ? octahedron() : new THREE.IcosahedronGeometry(1, 2));
    this.shafts = pair(fast ? prism() : upright(new THREE.CylinderGeometry(1, 1, 1, 8, 1, true).translate(0, 0.5, 0)));
    this.heads = pair(fast ? pyramid(4) : upright(new THREE.ConeGeometry(1, 1, 12).translate(0, 0.5, 0)));
    if (fast && !this.soup) this.cook(colored());
    // apex at the origin, opening along z, unit radius at unit height
    const cone = upright(new THREE.ConeGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0));
    this.cones = new THREE.InstancedMesh(cone, new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.2, side: THREE.DoubleSide, depthWrite: false }), most);
    this.cones.setColorAt(0, C.set(0));
    this.cones.frustumCulled = false;
    this.cones.renderOrder = 4;
    this.add(this.cones);
  }

  cook(material) {
    material.vertexColors = true;
    material.side = THREE.DoubleSide; // a head has no floor
    this.seenFrom = new THREE.Vector3();
    this.soup = new Soup(this.scene, material);
    this.lines = new Soup(this.scene, new THREE.LineBasicMaterial({ vertexColors: true }), true);
    this.soup.object.renderOrder = this.lines.object.renderOrder = 6;
  }

  /** While it moves there, a shaft is a line, and a point with an arrow has no mark of its own. */
  detail(round) {
    this.plain = !round;
    this.stale = true;
  }

  /** Before a picture, where marks are drawn as one. */
  gather(light, eye) {
    if (!this.soup || !(this.stale || (eye && !this.seenFrom.equals(eye)))) return;
    this.stale = false;
    if (eye) this.seenFrom.copy(eye);
    const { soup, lines, plain } = this;
    const put = ([mesh], into, shape = mesh.geometry, skip = () => false, closed = false) => {
      for (let i = 0; i < mesh.count; i++) {
        if (skip(i)) continue;
        mesh.getMatrixAt(i, M);
        mesh.getColorAt(i, C);
        into.add(shape, M, C, closed);
      }
    };
    soup.clear(light, eye);
    lines.clear();
    put(this.points, soup, undefined, (i) => plain && this.arrowed[i] && this.show.arrows, true);
    put(this.shafts, plain ? lines : soup, plain ? LINE : undefined);
    put(this.heads, soup, plain ? THREE_SIDED : undefined);
    soup.done();
    lines.done();
  }

  add(mesh) {
    this.made.push(mesh);
    this.scene.add(mesh);
  }

  /** The scale shown in the legend: newtons, and the metres they are drawn with. */
  scale() {
    const newtons = round125((0.4 * this.longest) / (this.unit * this.gain));
    return { newtons, metres: newtons * this.unit * this.gain };
  }

  /** Of the two bodies of a contact with force F on a, the one whose force is drawn: the picked one, one that can
   * move, or the one that is held up. */
  on(a, b, picked) {
    if (picked && (picked === a || picked === b)) return picked;
    if (a === 0 || b === 0) return a || b;
    return F.dot(this.down) > 0 ? b : a;
  }

  /** Fills in frame k. */
  update(k, picked) {
    const { first, touch } = this.recording;
    const thick = this.thick * this.size;
    let arrows = 0;
    let cones = 0;
    const count = first[k + 1] - first[k];
    if (count > this.most) this.room(2 * count);
    for (let i = 0; i < count; i++) {
      const o = (first[k] + i) * CONTACT;
      const a = touch[o];
      const b = touch[o + 1];
      const mode = touch[o + 2];
      P.fromArray(touch, o + 3);
      N.fromArray(touch, o + 6);
      F.fromArray(touch, o + 9);
      if (this.on(a, b, picked) === b) {
        N.negate();
        F.negate();
      }
      C.set(MODE_COLORS[MODES[mode]]);
      if (picked && picked !== a && picked !== b) C.lerp(GREY, 0.6);

      S.setScalar(1.7 * thick);
      this.points[0].setMatrixAt(i, M.compose(P, Q.identity(), S));
      this.points[0].setColorAt(i, C);

      const length = Math.min(F.length() * this.unit * this.gain, this.longest);
      this.arrowed[i] = length > 0.5 * thick;
      if (this.arrowed[i]) {
        Q.setFromUnitVectors(Z, D.copy(F).normalize());
        const head = Math.min(6.5 * thick, 0.6 * length);
        const radius = Math.min(1, head / (4 * thick)) * thick;
        this.shafts[0].setMatrixAt(arrows, M.compose(P, Q, S.set(radius, radius, length - head)));
        this.shafts[0].setColorAt(arrows, C);
        D.multiplyScalar(length - head).add(P);
        this.heads[0].setMatrixAt(arrows, M.compose(D, Q, S.set(2.4 * radius, 2.4 * radius, head)));
        this.heads[0].setColorAt(arrows, C);
        arrows++;
      }
      // as high as the normal force is long: a slipping force lies on its cone, a sticking one inside
      const mu = touch[o + 13];
      const high = Math.max(F.dot(N), 0) * (length / Math.max(F.length(), 1e-30));
      if (this.show.cones && mu > 0 && high > 2 * thick) {
        Q.setFromUnitVectors(Z, N.normalize());
        this.cones.setMatrixAt(cones, M.compose(P, Q, S.set(mu * high, mu * high, high)));
        this.cones.setColorAt(cones, C);
        cones++;
      }
    }
    this.arrows = this.show.arrows ? arrows : 0;
    fill(this.points, this.show.points ? count : 0);
    fill(this.shafts, this.arrows);
    fill(this.heads, this.arrows);
    fill([this.cones], cones);
    this.stale = true;
  }

  /** The contact under a ray, by its number in the frame: -1 if there is none. */
  under(ray) {
    const [points] = this.points;
    if (!points.visible) return -1;
    points.boundingSphere = null;
    return ray.intersectObject(points, false)[0]?.instanceId ?? -1;
  }

  /** One contact of frame k. */
  one(k, i) {
    const { first, touch } = this.recording;
    const o = (first[k] + i) * CONTACT;
    const point = new THREE.Vector3().fromArray(touch, o + 3);
    const normal = new THREE.Vector3().fromArray(touch, o + 6);
    const force = new THREE.Vector3().fromArray(touch, o + 9);
    const press = force.dot(normal);
    return {
      a: touch[o], b: touch[o + 1], mode: MODES[touch[o + 2]], point, normal, force, press,
      rub: force.addScaledVector(normal, -press).length(), gap: touch[o + 12], friction: touch[o + 13], slip: touch[o + 14],
    };
  }

  /** The contact between the same bodies that is nearest to a place; -1 if there is none. */
  nearest(k, a, b, place) {
    const { first, touch } = this.recording;
    let [best, least] = [-1, Infinity];
    for (let i = 0; i < first[k + 1] - first[k]; i++) {
      const o = (first[k] + i) * CONTACT;
      if (touch[o] !== a || touch[o + 1] !== b) continue;
      const far = P.fromArray(touch, o + 3).distanceToSquared(place);
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  /** What presses on a body in frame k. */
  sum(k, body) {
    const { first, touch } = this.recording;
    const total = { force: new THREE.Vector3(), contacts: 0, stick: 0, slip: 0, open: 0 };
    for (let i = first[k]; i < first[k + 1]; i++) {
      const o = i * CONTACT;
      if (touch[o] !== body && touch[o + 1] !== body) continue;
      total.force.addScaledVector(F.fromArray(touch, o + 9), touch[o] === body ? 1 : -1);
      total[MODES[touch[o + 2]]]++;
      total.contacts++;
    }
    return total;
  }
}

const [P, N, F, D, S] = Array.from({ length: 5 }, () => new THREE.Vector3());
const Z = new THREE.Vector3(0, 0, 1);
const Q = new THREE.Quaternion();
const M = new THREE.Matrix4();
const C = new THREE.Color();
const GREY = new THREE.Color(0x8894a3);

function fill(meshes, count) {
  for (const mesh of meshes) {
    mesh.count = count;
    mesh.visible = count > 0;
  }
  meshes[0].instanceMatrix.needsUpdate = true;
  if (meshes[0].instanceColor) meshes[0].instanceColor.needsUpdate = true;
}

/** Marks of few corners, their normals straight out. */
function few(corners, triangles, normals = corners) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners.flat(), 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals.flat(), 3));
  return geometry.setIndex(triangles.flat());
}

function octahedron() {
  const corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  return few(corners.map((c) => c.map((x) => 1.15 * x)), [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]);
}

/** Three-sided, from z = 0 to 1. */
function prism() {
  const round = [0, 1, 2].map((k) => [Math.cos((2 * Math.PI * k) / 3), Math.sin((2 * Math.PI * k) / 3), 0]);
  const corners = [...round, ...round.map(([x, y]) => [x, y, 1])];
  return few(corners, [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]], [...round, ...round]);
}

/** Without a floor, its top at z = 1. */
function pyramid(sides) {
  const round = Array.from({ length: sides }, (_, k) => [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides), 0]);
  return few([...round, [0, 0, 1]], round.map((_, k) => [k, (k + 1) % sides, sides]));
}

const THREE_SIDED = pyramid(3);
const LINE = few([[0, 0, 0], [0, 0, 1]], [[0, 1]]);

/** The force that nine of ten pressed contacts stay below. */
function strong({ touch, first, n }) {
  const all = first[n];
  const stride = Math.max(1, Math.floor(all / 20000));
  const sizes = [];
  for (let i = 0; i < all; i += stride) {
    const o = i * CONTACT + 9;
    const f = Math.hypot(touch[o], touch[o + 1], touch[o + 2]);
    if (f > 0 && Number.isFinite(f)) sizes.push(f);
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))] || 1;
}
