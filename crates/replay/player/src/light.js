// What the renderer's shaders do with light, for single corners: Lambert's law, tones within what a screen has, the screen's curve.
import * as THREE from "three";

/** Where tones begin to be pressed together, and how much colour they lose there [Khronos PBR neutral]. */
const PRESSED = 0.8 - 0.04;
const PALER = 0.15;
/** Steps of the screen's curve that are kept: a fourth of the difference that eight bits show. */
const CURVE = new Float32Array(1025).map((_, k) => new THREE.Color(k / 1024, 0, 0).convertLinearToSRGB().r);

/** The lights of a picture. */
export class Light {
  /** Reads them off: a sky and lamps with a direction. */
  read(sky, lamps) {
    this.up = sky.position.clone().normalize();
    this.above = sky.color.clone().multiplyScalar(sky.intensity / Math.PI);
    this.below = sky.groundColor.clone().multiplyScalar(sky.intensity / Math.PI);
    this.lamps = lamps.map((lamp) => ({
      towards: lamp.position.clone().sub(lamp.target.position).normalize(),
      color: lamp.color.clone().multiplyScalar(lamp.intensity / Math.PI),
    }));
    return this;
  }

  /** Writes the colour of a corner with the normal at `i`, of any length, to the same place of `out`. */
  shine(normals, i, color, glow, out) {
    const [x, y, z] = [normals[i], normals[i + 1], normals[i + 2]];
    const long = Math.sqrt(x * x + y * y + z * z) || 1;
    const { up, above, below } = this;
    const high = 0.5 + (0.5 * (up.x * x + up.y * y + up.z * z)) / long;
    let r = below.r + high * (above.r - below.r);
    let g = below.g + high * (above.g - below.g);
    let b = below.b + high * (above.b - below.b);
    for (const lamp of this.lamps) {
      const { towards, color } = lamp;
      const facing = (towards.x * x + towards.y * y + towards.z * z) / long;
      if (facing <= 0) continue;
      r += facing * color.r;
      g += facing * color.g;
      b += facing * color.b;
    }
    [r, g, b] = [r * color.r + glow, g * color.g + glow, b * color.b + glow];
    const least = Math.min(r, g, b);
    const offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
    [r, g, b] = [r - offset, g - offset, b - offset];
    const peak = Math.max(r, g, b);
    if (peak >= PRESSED) {
      const room = 1 - PRESSED;
      const top = 1 - (room * room) / (peak + room - PRESSED);
      const pale = 1 - 1 / (PALER * (peak - top) + 1);
      const mix = (c) => (1 - pale) * c * (top / peak) + pale * top;
      [r, g, b] = [mix(r), mix(g), mix(b)];
    }
    out[i] = curve(r);
    out[i + 1] = curve(g);
    out[i + 2] = curve(b);
  }
}

const curve = (c) => CURVE[Math.min(Math.max(Math.round(1024 * c), 0), 1024)];
