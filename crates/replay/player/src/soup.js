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

  clear() {
    this.corners = this.count = 0;
  }

  /** A shape at a place, in a color. */
  add(geometry, matrix, color) {
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
    for (let i = 0; i < indices; i++) index[this.count + i] = corners + (own ? own[i] : i);
    this.corners += n;
    this.count += indices;
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
    for (const attribute of [...Object.values(geometry.attributes), geometry.index]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, attribute === geometry.index ? this.count : 3 * this.corners);
      attribute.needsUpdate = true;
    }
  }
}

const N = new THREE.Matrix3();
