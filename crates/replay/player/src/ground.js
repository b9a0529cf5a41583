// The ground: a grid that fades out, and the shadow on it.
import * as THREE from "three";
import { round125 } from "./text.js";

export class Ground {
  /** Grids on the planes of the scene; a faint one below it where there is none. */
  constructor(planes, extent, up, scene) {
    this.cell = round125(extent.radius / 2.5);
    this.floating = planes.length === 0;
    this.uniforms = {
      cell: { value: this.cell },
      reach: { value: 9 * extent.radius },
      centre: { value: new THREE.Vector3().copy(extent.centre) },
      line: { value: new THREE.Color() },
      strength: { value: 1 },
    };
    const material = (foot) => new THREE.ShaderMaterial({ ...GRID, uniforms: { ...this.uniforms, foot: { value: new THREE.Vector2(foot.x, foot.y) } }, transparent: true, depthWrite: false, side: THREE.DoubleSide });
    this.shadow = new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false });
    this.group = new THREE.Group();
    this.shades = [];
    const frames = this.floating ? [new THREE.Group()] : planes;
    if (this.floating) {
      frames[0].position.copy(up.axis).multiplyScalar(extent.low);
      frames[0].quaternion.copy(up.turn);
    }
    for (const frame of frames) {
      // the part of an endless plane that can be seen: around the foot of the scene's centre
      frame.updateMatrixWorld(true);
      const foot = frame.worldToLocal(extent.centre.clone());
      const grid = new THREE.Mesh(new THREE.PlaneGeometry(20 * extent.radius, 20 * extent.radius), material(foot));
      grid.position.set(foot.x, foot.y, 0);
      grid.renderOrder = -2;
      frame.add(grid);
      if (!this.floating) {
        const shade = new THREE.Mesh(new THREE.PlaneGeometry(8 * extent.radius, 8 * extent.radius), this.shadow);
        shade.position.set(foot.x, foot.y, 0);
        shade.receiveShadow = true;
        shade.renderOrder = -1;
        frame.add(shade);
        this.shades.push(shade);
      }
      this.group.add(frame);
    }
    scene.add(this.group);
  }

  /** Without shadows there is nothing to draw them on. */
  shade(on) {
    for (const shade of this.shades) shade.visible = on;
  }

  theme(dark) {
    // as the screen has it
    this.uniforms.line.value.set(dark ? 0xaebdd0 : 0x3a4a5e).convertLinearToSRGB();
    this.uniforms.strength.value = (dark ? 0.5 : 0.45) * (this.floating ? 0.5 : 1);
    this.shadow.opacity = dark ? 0.45 : 0.2;
  }
}

const GRID = {
  vertexShader: `
    varying vec2 place;
    varying vec3 world;
    uniform vec2 foot;
    void main() {
      vec4 w = modelMatrix * vec4(position, 1.0);
      place = position.xy + foot;
      world = w.xyz;
      gl_Position = projectionMatrix * viewMatrix * w;
    }`,
  fragmentShader: `
    varying vec2 place;
    varying vec3 world;
    uniform float cell, reach, strength;
    uniform vec3 line, centre;
    float grid(float size, float width) {
      vec2 x = place / size;
      vec2 w = fwidth(x);
      vec2 d = abs(fract(x - 0.5) - 0.5) / max(w, vec2(1e-6));
      float on = 1.0 - min(min(d.x, d.y) / width, 1.0);
      // lines closer than two pixels become a tone
      return on * (1.0 - smoothstep(0.2, 0.6, max(w.x, w.y)));
    }
    void main() {
      float fade = 1.0 - smoothstep(0.15, 1.0, distance(world, centre) / reach);
      float a = max(0.5 * grid(cell, 1.3), 0.2 * grid(cell / 5.0, 1.1)) + 0.045;
      gl_FragColor = vec4(line, a * fade * fade * strength);
    }`,
};
