// The bodies as meshes, their colours, and the ground.
import * as THREE from "three";
import { POSE } from "./data.js";
import { Soup, UNSEEN } from "./soup.js";

/** Muted, so that contacts and arrows stand out; told apart by people who see few colours, too. */
const PALETTE = [0x6f9bd1, 0xd9a566, 0x86b88f, 0xb48ac2, 0xd17f7a, 0x6fb6bd, 0xd3bd62, 0x8f92cf, 0xa8b56b, 0xc08a68];

/** A mesh beyond this many triangles gets no drawn edges. */
const EDGED = 6000;
/** A scene beyond this many shapes gets none at all. */
const EDGED_SHAPES = 400;
/** Shapes that have fewer sides while they move, where every triangle costs; by this factor. */
const ROUND = new Set(["sphere", "capsule", "cylinder", "cone", "ellipsoid"]);
/** See [`ROUND`]. */
const PLAIN = 0.36;
/** There, more shapes than this have no edges while they move. */
const FEW = 60;

export class Bodies {
  constructor(recording, scene, fast) {
    this.fast = fast;
    this.recording = recording;
    this.groups = [];
    this.pickable = [];
    this.planes = [];
    this.materials = [];
    const shapes = recording.meta.bodies.reduce((sum, b) => sum + b.shapes.length, 0);
    this.geometries = new Map();
    this.edged = shapes <= EDGED_SHAPES;
    this.scene = scene;
    if (fast) this.cook();
    recording.meta.bodies.forEach((body, index) => this.add(body, index));
    this.colliders = false;
    this.xray = false;
  }

  /** A body and its shapes; one of that number before it goes. */
  add(body, index) {
    if (this.groups[index]) {
      this.scene.remove(this.groups[index]);
      this.pickable = this.pickable.filter((m) => m.userData.body !== index);
    }
    const group = new THREE.Group();
    group.name = body.name;
    group.userData.body = index;
    this.groups[index] = group;
    this.scene.add(group);
    for (const shape of body.shapes) {
      if (shape.kind === "plane") {
        this.planes.push(placed(new THREE.Group(), shape));
        continue;
      }
      const key = JSON.stringify({ ...shape, position: 0, orientation: 0, color: 0, touches: 0, hidden: 0 });
      if (!this.geometries.has(key)) this.geometries.set(key, this.looks(shape));
      const { fine } = this.geometries.get(key);
      if (!fine.surface) continue;
      const material = this.material(index, shape.color, shape.kind === "mesh");
      const mesh = placed(new THREE.Mesh(fine.surface, material), shape);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      if (fine.edges && this.edged) {
        mesh.add(new THREE.LineSegments(fine.edges, material.userData.edge));
      }
      // where other shapes stand for them, those that touch are shown on demand
      mesh.userData = { body: index, touches: shape.touches !== false, hidden: shape.hidden === true, looks: this.geometries.get(key) };
      mesh.visible = !mesh.userData.hidden;
      this.simplify(mesh);
      group.add(mesh);
      this.pickable.push(mesh);
    }
  }

  /** A shape as it stands still, and with fewer triangles for the time that it moves on a computer without a graphics card. */
  looks(shape) {
    const fine = geometry(shape, this.recording.meshes, 1);
    return { fine, plain: this.fast && ROUND.has(shape.kind) ? geometry(shape, this.recording.meshes, PLAIN) : fine };
  }

  /** How round round shapes are, and whether edges are drawn. */
  detail(round, edges) {
    [this.round, this.lines] = [round, edges];
    for (const mesh of this.pickable) this.simplify(mesh);
  }

  simplify(mesh) {
    const { fine, plain } = mesh.userData.looks;
    const { surface, edges } = this.round === false ? plain : fine;
    mesh.geometry = surface;
    for (const line of mesh.children) {
      line.geometry = edges;
      line.visible = !this.fast || (this.lines !== false && (this.round !== false || this.pickable.length <= FEW));
    }
  }

  color(index) {
    return index === 0 ? 0x9aa3ad : PALETTE[(index - 1) % PALETTE.length];
  }

  /** What the list shows beside a name. */
  swatch(index) {
    const given = this.recording.meta.bodies[index].shapes.find((s) => s.color)?.color;
    const color = new THREE.Color(this.color(index));
    if (given) color.setRGB(...given.slice(0, 3), THREE.SRGBColorSpace);
    return `#${color.getHexString()}`;
  }

  /** `open`: a surface that may show its inner side. */
  material(index, given, open) {
    const color = new THREE.Color(this.color(index));
    if (given) color.setRGB(...given.slice(0, 3), THREE.SRGBColorSpace);
    const known = this.materials.find((m) => m.userData.body === index && m.userData.open === open && m.color.equals(color));
    if (known) return known;
    const opacity = given?.[3] ?? 1;
    const material = this.fast
      ? new THREE.MeshLambertMaterial({ color })
      : new THREE.MeshStandardMaterial({ color, roughness: 0.62, metalness: 0.04 });
    material.side = open ? THREE.DoubleSide : THREE.FrontSide;
    material.shadowSide = THREE.DoubleSide;
    material.opacity = opacity;
    material.transparent = opacity < 1;
    const line = color.clone().multiplyScalar(0.3);
    const edge = new THREE.LineBasicMaterial({ color: line, transparent: true, opacity: 0.55 });
    material.userData = { body: index, open, opacity, edge, line };
    this.materials.push(material);
    return material;
  }

  /** Poses at frame k and a part of the way to the next. */
  pose(k, part) {
    const { poses, bodies, n } = this.recording;
    const next = Math.min(k + 1, n - 1);
    for (let b = 0; b < bodies; b++) {
      const group = this.groups[b + 1];
      if (!group) continue; // what it looks like is under way
      group.visible = true;
      const i = (k * bodies + b) * POSE;
      group.position.fromArray(poses, i);
      group.quaternion.set(poses[i + 4], poses[i + 5], poses[i + 6], poses[i + 3]).normalize();
      if (part > 0) {
        const j = (next * bodies + b) * POSE;
        group.position.lerp(V.fromArray(poses, j), part);
        group.quaternion.slerp(Q.set(poses[j + 4], poses[j + 5], poses[j + 6], poses[j + 3]).normalize(), part);
      }
    }
    for (let b = bodies + 1; b < this.groups.length; b++) this.groups[b].visible = false;
  }

  /** What is small is drawn as one: closed shapes, open ones, edges. */
  cook() {
    const surface = (side) => {
      const soup = new Soup(this.scene, new THREE.MeshLambertMaterial({ vertexColors: true, side, shadowSide: THREE.DoubleSide }));
      soup.object.castShadow = soup.object.receiveShadow = true;
      return soup;
    };
    const edges = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55 });
    this.soups = { closed: surface(THREE.FrontSide), open: surface(THREE.DoubleSide), edges: new Soup(this.scene, edges, true) };
  }

  /** Before a picture: what is drawn as one is put where it is; `picked` stands out. For `light` and `eye` see [`Soup.clear`]. */
  gather(picked, light, eye) {
    if (!this.soups) return;
    const { closed, open, edges } = this.soups;
    for (const soup of [closed, open, edges]) soup.clear(light, eye);
    for (const group of this.groups) group.updateMatrixWorld();
    for (const mesh of this.pickable) {
      const { material, geometry } = mesh;
      const own = material.transparent || !Soup.takes(geometry); // seen through, or large
      mesh.layers.set(own ? 0 : UNSEEN);
      for (const line of mesh.children) line.layers.set(own ? 0 : UNSEEN);
      if (own || !mesh.visible || !mesh.parent.visible) continue;
      const on = mesh.userData.body === picked;
      C.copy(material.color);
      if (on) C.lerp(ACCENT, 0.35);
      if (material.userData.open) open.add(geometry, mesh.matrixWorld, C);
      else closed.add(geometry, mesh.matrixWorld, C, true);
      for (const line of mesh.children) if (line.visible) edges.add(line.geometry, line.matrixWorld, on ? ACCENT : material.userData.line);
    }
    for (const soup of [closed, open, edges]) soup.done();
  }

  highlight(picked) {
    for (const m of this.materials) {
      const on = m.userData.body === picked;
      m.emissive.set(on ? 0x2f6fed : 0x000000);
      m.emissiveIntensity = on ? 0.22 : 0;
      m.userData.edge.color.copy(on ? ACCENT : m.userData.line);
      m.userData.edge.opacity = on ? 1 : 0.55;
    }
  }

  showColliders(on) {
    this.colliders = on;
    for (const mesh of this.pickable) {
      const { touches, hidden } = mesh.userData;
      mesh.visible = on ? touches : !hidden;
    }
  }

  showThrough(on) {
    this.xray = on;
    for (const m of this.materials) {
      m.transparent = on || m.userData.opacity < 1;
      m.opacity = on ? 0.28 : m.userData.opacity;
      m.depthWrite = !on;
      m.side = on || m.userData.open ? THREE.DoubleSide : THREE.FrontSide;
      m.needsUpdate = true;
    }
  }

  /** The room that the motion takes: centre, radius, the size of a typical body, the lowest point. */
  extent(up) {
    const { n, bodies } = this.recording;
    const local = this.groups.map((group) => {
      group.position.set(0, 0, 0);
      group.quaternion.identity();
      group.updateMatrixWorld(true);
      const box = new THREE.Box3();
      for (const mesh of group.children) box.union(new THREE.Box3().setFromObject(mesh));
      return box;
    });
    const sizes = local.slice(1).filter((b) => !b.isEmpty()).map((b) => b.getSize(V).length());
    sizes.sort((a, b) => a - b);
    const body = sizes[sizes.length >> 1] ?? 0.2;

    // the start is always in view; the way from there as far as six times that, for things that fall for ever
    const around = (k) => {
      const box = new THREE.Box3();
      this.pose(k, 0);
      for (let b = 1; b <= bodies; b++) {
        const group = this.groups[b];
        group.updateMatrixWorld(true);
        const mine = local[b].isEmpty()
          ? new THREE.Box3(group.position.clone(), group.position.clone())
          : local[b].clone().applyMatrix4(group.matrixWorld);
        if (Number.isFinite(mine.min.x + mine.max.z)) box.union(mine);
      }
      return box;
    };
    const start = around(0);
    if (start.isEmpty()) start.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    const reach = Math.max(start.getSize(V).length(), 2 * body);
    const limit = start.clone().expandByScalar(2.5 * reach);
    const box = start.clone();
    const looks = Math.min(n - 1, 120);
    for (let s = 1; s <= looks; s++) {
      const then = around(Math.round(((n - 1) * s) / looks)).intersect(limit);
      if (!then.isEmpty()) box.union(then);
    }
    const still = local[0];
    if (!still.isEmpty() && still.getSize(V).length() < 3 * box.getSize(V).length()) box.union(still);
    const centre = box.getCenter(new THREE.Vector3());
    return { centre, radius: 0.5 * box.getSize(V).length(), body, low: lowest(box, up), box };
  }
}

/** How high the lowest corner of a box is. */
function lowest(box, up) {
  const { x, y, z } = up.axis;
  return (x > 0 ? box.min.x : box.max.x) * x + (y > 0 ? box.min.y : box.max.y) * y + (z > 0 ? box.min.z : box.max.z) * z;
}

const V = new THREE.Vector3();
const Q = new THREE.Quaternion();
const C = new THREE.Color();
const ACCENT = new THREE.Color(0x3f83f8);

function placed(object, shape) {
  const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
  object.position.fromArray(shape.position ?? [0, 0, 0]);
  object.quaternion.set(x, y, z, w);
  return object;
}

/** Gudgeon's round shapes lie along z, three's along y. `part`: of the sides that round ones have. */
function geometry(shape, meshes, part) {
  const sides = (n) => Math.max(Math.round(part * n), 3);
  const upright = (g) => g.rotateX(Math.PI / 2);
  const edged = (surface) => ({ surface, edges: new THREE.EdgesGeometry(surface, 32) });
  switch (shape.kind) {
    case "box":
      return edged(new THREE.BoxGeometry(...shape.half.map((x) => 2 * x)));
    case "sphere":
      return { surface: ball(shape.radius, sides), edges: meridians(shape.radius, sides) };
    case "capsule":
      return { surface: upright(new THREE.CapsuleGeometry(shape.radius, 2 * shape.half_height, sides(7), sides(24))) };
    case "cylinder":
      return edged(upright(new THREE.CylinderGeometry(shape.radius, shape.radius, 2 * shape.half_height, sides(32))));
    case "cone":
      return edged(upright(new THREE.ConeGeometry(shape.radius, 2 * shape.half_height, sides(32))));
    case "ellipsoid":
      return { surface: ball(1, sides).scale(...shape.semi_axes), edges: meridians(1, sides).scale(...shape.semi_axes) };
    case "mesh": {
      const { vertices, triangles } = meshes[shape.mesh];
      const indexed = new THREE.BufferGeometry();
      indexed.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
      indexed.setIndex(new THREE.BufferAttribute(triangles, 1));
      const surface = creased(indexed);
      return triangles.length / 3 <= EDGED ? { surface, edges: new THREE.EdgesGeometry(indexed, 40) } : { surface };
    }
    default:
      return {};
  }
}

const ball = (radius, sides) => new THREE.SphereGeometry(radius, sides(28), sides(16)).rotateX(Math.PI / 2);

/** Three great circles, that the eye sees a sphere roll. */
function meridians(radius, sides) {
  const points = [];
  const n = sides(48);
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 0; k < n; k++) {
      for (const angle of [(2 * Math.PI * k) / n, (2 * Math.PI * (k + 1)) / n]) {
        const p = [0, 0, 0];
        p[axis] = 1.001 * radius * Math.cos(angle);
        p[(axis + 1) % 3] = 1.001 * radius * Math.sin(angle);
        points.push(...p);
      }
    }
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

/** Normals averaged over the triangles at a vertex that meet it at less than 40 degrees. */
function creased(indexed) {
  const flat = indexed.toNonIndexed();
  const p = flat.getAttribute("position");
  const corner = indexed.getIndex().array;
  const faces = p.count / 3;
  const normals = new Float32Array(p.count * 3);
  const face = new Float32Array(faces * 3);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const around = new Map();
  const place = indexed.getAttribute("position").array;
  const name = (v) => `${place[3 * v]} ${place[3 * v + 1]} ${place[3 * v + 2]}`;
  for (let f = 0; f < faces; f++) {
    a.fromBufferAttribute(p, 3 * f);
    b.fromBufferAttribute(p, 3 * f + 1).sub(a);
    c.fromBufferAttribute(p, 3 * f + 2).sub(a);
    b.cross(c).toArray(face, 3 * f); // its length weighs by area
    for (let k = 0; k < 3; k++) {
      const key = name(corner[3 * f + k]);
      if (!around.has(key)) around.set(key, []);
      around.get(key).push(f);
    }
  }
  const limit = Math.cos((40 * Math.PI) / 180);
  for (let f = 0; f < faces; f++) {
    a.fromArray(face, 3 * f);
    const size = a.length();
    for (let k = 0; k < 3; k++) {
      b.set(0, 0, 0);
      for (const g of around.get(name(corner[3 * f + k]))) {
        c.fromArray(face, 3 * g);
        if (c.dot(a) >= limit * size * c.length()) b.add(c);
      }
      b.normalize().toArray(normals, 9 * f + 3 * k);
    }
  }
  flat.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  return flat;
}
