// Bodies of one shape in one call: without a graphics card every call waits for the threads that draw.
import * as THREE from "three";

/** Meshes stay on this layer, where the mouse finds them and the camera does not. */
const UNSEEN = 1;
const PICKED = new THREE.Color(0x2f6fed);
const C = new THREE.Color();

export class Instances {
  constructor(scene) {
    this.scene = scene;
    this.sets = new Map(); // by geometry, then by whether both sides are seen
  }

  /** All meshes where they are, those through which one sees left to themselves; `picked` stands out. */
  update(meshes, picked) {
    for (const set of this.sets.values()) set.list.length = 0;
    for (const mesh of meshes) {
      mesh.layers.set(mesh.material.transparent ? 0 : UNSEEN);
      if (mesh.material.transparent || !mesh.visible || !mesh.parent.visible) continue;
      const name = `${mesh.geometry.uuid} ${mesh.material.side}`;
      if (!this.sets.has(name)) this.sets.set(name, { list: [], drawn: null });
      this.sets.get(name).list.push(mesh);
    }
    for (const set of this.sets.values()) this.fill(set, picked);
  }

  fill(set, picked) {
    const { list } = set;
    if (set.drawn && set.drawn.instanceMatrix.count < list.length) {
      this.scene.remove(set.drawn);
      set.drawn.dispose();
      set.drawn = null;
    }
    if (!list.length) {
      if (set.drawn) set.drawn.visible = false;
      return;
    }
    set.drawn ??= this.make(list);
    const { drawn } = set;
    list.forEach((mesh, i) => {
      drawn.setMatrixAt(i, mesh.matrixWorld);
      C.copy(mesh.material.color);
      if (picked && mesh.userData.body === picked) C.lerp(PICKED, 0.35);
      drawn.setColorAt(i, C);
    });
    drawn.count = list.length;
    drawn.visible = true;
    drawn.instanceMatrix.needsUpdate = drawn.instanceColor.needsUpdate = true;
  }

  make(list) {
    const { geometry, material } = list[0];
    const own = new THREE.MeshLambertMaterial({ side: material.side, shadowSide: material.shadowSide });
    const drawn = new THREE.InstancedMesh(geometry, own, Math.ceil(1.5 * list.length));
    drawn.castShadow = drawn.receiveShadow = true;
    drawn.frustumCulled = false;
    this.scene.add(drawn);
    return drawn;
  }
}
