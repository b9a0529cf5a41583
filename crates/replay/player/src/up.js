// Which way is up, and from where to look: gravity decides the first, the flat axis of the scene the second.
import * as THREE from "three";

/** A scene thinner than this part of its width is looked at along its thin axis. */
const FLAT = 0.4;
const Z = new THREE.Vector3(0, 0, 1);

export class Up {
  /** `gravity`: m/s²; without any, z is up. */
  constructor(gravity) {
    this.axis = new THREE.Vector3(...(gravity ?? [0, 0, 0])).negate();
    if (!(this.axis.lengthSq() > 0) || !Number.isFinite(this.axis.lengthSq())) this.axis.copy(Z);
    this.axis.normalize();
    this.turn = new THREE.Quaternion().setFromUnitVectors(Z, this.axis);
  }

  /** A direction of a world whose z is up, in this one. */
  of(x, y, z) {
    return new THREE.Vector3(x, y, z).applyQuaternion(this.turn);
  }

  /** How high a place is. */
  height(place) {
    return place.dot(this.axis);
  }

  /** The part of a vector that is not along up, as a length. */
  sideways(v) {
    const along = v.dot(this.axis);
    return Math.sqrt(Math.max(v.lengthSq() - along * along, 0));
  }

  /** Directions to look from, for a scene that fills this box. */
  views(box) {
    const size = box.getSize(new THREE.Vector3());
    const wide = (x, y) => {
      const d = this.of(x, y, 0);
      return Math.abs(d.x) * size.x + Math.abs(d.y) * size.y + Math.abs(d.z) * size.z;
    };
    const [x, y] = [wide(1, 0), wide(0, 1)];
    // along y by default in the corner view, along x from the front
    const flatX = x < FLAT * y;
    const flatY = y < FLAT * x;
    return {
      corner: flatX ? this.of(1, -0.62, 0.42) : this.of(0.62, -1, 0.42),
      front: flatY ? this.of(-0.0001, -1, 0.12) : this.of(1, -0.0001, 0.12),
      side: flatY ? this.of(1, -0.0001, 0.12) : this.of(0, -1, 0.12),
      top: this.of(0, -0.0001, 1),
    };
  }
}
