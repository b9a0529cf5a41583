// The camera: framing, orbit, following a body, a few fixed views.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export const VIEWS = ["corner", "front", "side", "top"];

const STEP = new THREE.Vector3();
const LAST = new THREE.Vector3();

export class Camera {
  constructor(canvas, extent, up, changed) {
    this.extent = extent;
    this.up = up;
    this.directions = up.views(extent.box);
    this.lens = new THREE.PerspectiveCamera(32, 1, 0.002 * extent.radius, 120 * extent.radius);
    this.lens.up.copy(up.axis);
    this.controls = new OrbitControls(this.lens, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 40 * extent.radius;
    this.controls.minDistance = 0.02 * extent.radius;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
    this.touched = false;
    this.controls.addEventListener("start", () => (this.touched = true));
    this.last = null;
    this.view("corner");
  }

  view(name) {
    const { centre } = this.extent;
    const direction = this.directions[name].clone().normalize();
    this.controls.target.copy(centre);
    this.lens.position.copy(centre).addScaledVector(direction, this.distance(direction));
    this.named = name;
    this.last = null;
    this.controls.update();
  }

  /** From how far the whole box is in the picture. */
  distance(direction) {
    const { box, centre, radius } = this.extent;
    const right = new THREE.Vector3().crossVectors(this.up.axis, direction).normalize();
    if (right.lengthSq() < 0.5) right.copy(this.up.of(1, 0, 0));
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = Math.tan(((this.lens.fov / 2) * Math.PI) / 180);
    const wide = tall * this.lens.aspect * (this.open ?? 1);
    let far = 0.35 * radius;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(centre);
      const depth = corner.dot(direction);
      far = Math.max(far, depth + Math.abs(corner.dot(right)) / wide, depth + Math.abs(corner.dot(up)) / tall);
    }
    return 1.12 * far;
  }

  /** The picture's size, and how much of its right side is covered. */
  resize(width, height, covered) {
    this.lens.aspect = width / height;
    this.open = 1 - covered / width;
    this.lens.setViewOffset(width, height, covered / 2, 0, width, height);
    if (!this.touched && this.named) this.view(this.named);
  }

  /** Moves along with a place; null stops. */
  follow(place) {
    if (place && this.last) {
      const step = STEP.copy(place).sub(this.last);
      this.lens.position.add(step);
      this.controls.target.add(step);
    } else if (place) {
      const step = STEP.copy(place).sub(this.controls.target);
      this.lens.position.add(step);
      this.controls.target.add(step);
      this.touched = true;
    }
    this.last = place ? LAST.copy(place) : null;
  }

  /** Steps back until a place is in the picture. */
  show(place) {
    const { lens, controls } = this;
    for (let k = 0; k < 20; k++) {
      lens.updateMatrixWorld();
      const p = place.clone().project(lens);
      if (Math.abs(p.x) < 0.9 && Math.abs(p.y) < 0.85 && p.z < 1) break;
      lens.position.sub(controls.target).multiplyScalar(1.1).add(controls.target);
      controls.update();
    }
  }

  away() {
    return this.lens.position.distanceTo(this.controls.target);
  }
}
