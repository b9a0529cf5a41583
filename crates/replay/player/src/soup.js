// Many small things as one: where there is no graphics card, every call and every instance waits for the threads that draw,
// and moving some ten thousand corners here costs less than that.
import * as THREE from "three";

/** What is drawn in a soup stays on this layer, where the mouse finds it and the camera does not. */
export const UNSEEN = 1;
/** Shapes of more corners are drawn by themselves. */
const MOST = 600;

/** One mesh, or one set of lines, made anew for every picture. */
export class Soup {
  constructor(scene, material, lines = false) {
    this.lines = lines;
    this.material = material;
    this.plain = lines ? material : new THREE.ShaderMaterial({ ...PLAIN, side: material.side });
    this.glow = material.emissive ? material.emissiveIntensity * material.emissive.r : 0;
    this.geometry = new THREE.BufferGeometry();
    this.object = lines ? new THREE.LineSegments(this.geometry, material) : new THREE.Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.corners = this.count = 0;
    scene.add(this.object);
    this.room(1024, 4096);
  }

  /** Whether a shape is small enough. */
  static takes(geometry) {
    return geometry.getAttribute("position").count <= MOST;
  }

  room(corners, indices) {
    const more = (name, was, wide) => {
      const array = new Float32Array(wide * corners);
      if (was) array.set(was);
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, wide).setUsage(THREE.DynamicDrawUsage));
      return array;
    };
    this.geometry.dispose();
    this.places = more("position", this.places, 3);
    this.colors = more("color", this.colors, 3);
    if (!this.lines) this.normals = more("normal", this.normals, 3);
    const index = new Uint32Array(indices);
    if (this.index) index.set(this.index);
    this.index = index;
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1).setUsage(THREE.DynamicDrawUsage));
  }

  /** With a `light` (see light.js) corners are lit here and pixels take what lies between: a tenth of what a shader does for each. With an
   * `eye` only triangles that it sees are drawn, of shapes that are closed. */
  clear(light, eye) {
    this.corners = this.count = 0;
    this.eye = eye;
    this.light = this.lines ? undefined : light;
    this.object.material = this.light ? this.plain : this.material;
  }

  /** A shape at a place, in a color. */
  add(geometry, matrix, color, closed = false) {
    const place = geometry.getAttribute("position").array;
    const n = place.length / 3;
    const own = geometry.getIndex()?.array;
    const indices = own ? own.length : n;
    if (3 * (this.corners + n) > this.places.length || this.count + indices > this.index.length) {
      // one of the two may have room enough, and keeps it
      this.room(Math.max(2 * (this.corners + n), this.places.length / 3), Math.max(2 * (this.count + indices), this.index.length));
    }
    const m = matrix.elements;
    const { places, colors, index, corners } = this;
    let o = 3 * corners;
    for (let i = 0; i < place.length; i += 3, o += 3) {
      const [x, y, z] = [place[i], place[i + 1], place[i + 2]];
      places[o] = m[0] * x + m[4] * y + m[8] * z + m[12];
      places[o + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
      places[o + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
      colors[o] = color.r;
      colors[o + 1] = color.g;
      colors[o + 2] = color.b;
    }
    if (!this.lines) this.turn(geometry.getAttribute("normal").array, matrix);
    if (this.light) for (let i = 3 * corners; i < 3 * (corners + n); i += 3) this.light.shine(this.normals, i, color, this.glow, colors);
    let at = this.count;
    if (closed && this.eye) {
      const { x, y, z } = E.copy(this.eye).applyMatrix4(I.copy(matrix).invert());
      const planes = sides(geometry);
      for (let i = 0, k = 0; i < indices; i += 3, k += 4) {
        if (planes[k] * x + planes[k + 1] * y + planes[k + 2] * z <= planes[k + 3]) continue;
        for (let j = i; j < i + 3; j++) index[at++] = corners + (own ? own[j] : j);
      }
    } else for (let i = 0; i < indices; i++) index[at++] = corners + (own ? own[i] : i);
    this.corners += n;
    this.count = at;
  }

  /** Normals go with the inverse transpose; the shader makes them unit again. */
  turn(normal, matrix) {
    const n = N.getNormalMatrix(matrix).elements;
    let o = 3 * this.corners;
    for (let i = 0; i < normal.length; i += 3, o += 3) {
      const [x, y, z] = [normal[i], normal[i + 1], normal[i + 2]];
      this.normals[o] = n[0] * x + n[3] * y + n[6] * z;
      this.normals[o + 1] = n[1] * x + n[4] * y + n[7] * z;
      this.normals[o + 2] = n[2] * x + n[5] * y + n[8] * z;
    }
  }

  /** All is there. */
  done() {
    const { geometry, object } = this;
    object.visible = this.count > 0;
    if (!this.count) return;
    geometry.setDrawRange(0, this.count);
    const { position, color, normal } = geometry.attributes;
    for (const attribute of [position, color, geometry.index, ...(normal && !this.light ? [normal] : [])]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, attribute === geometry.index ? this.count : 3 * this.corners);
      attribute.needsUpdate = true;
    }
  }
}

/** Of every triangle of a shape n and d: who is at e sees it where n·e > d. */
function sides(geometry) {
  const known = SIDES.get(geometry);
  if (known) return known;
  const place = geometry.getAttribute("position");
  const own = geometry.getIndex()?.array;
  const count = (own ? own.length : place.count) / 3;
  const planes = new Float32Array(4 * count);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < count; k++) {
    [a, b, c].forEach((v, j) => v.fromBufferAttribute(place, own ? own[3 * k + j] : 3 * k + j));
    b.sub(a).cross(c.sub(a)).toArray(planes, 4 * k);
    planes[4 * k + 3] = b.dot(a);
  }
  SIDES.set(geometry, planes);
  return planes;
}

/** Colors as the screen has them, as they are. */
const PLAIN = {
  vertexColors: true,
  vertexShader: `
    varying vec3 shade;
    void main() {
      shade = color;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    varying vec3 shade;
    void main() {
      gl_FragColor = vec4(shade, 1.0);
    }`,
};
const SIDES = new WeakMap();
const E = new THREE.Vector3();
const I = new THREE.Matrix4();
const N = new THREE.Matrix3();
