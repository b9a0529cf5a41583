// The canvas: renderer, lights, and how fine the picture is.
import * as THREE from "three";
import { Light } from "./light.js";

/** A picture that takes longer than this, ms, is too slow, sixty a second being 16.7; it becomes coarser while it moves. */
const SLOW = 19;
/** Over how long a time that must be so, ms. */
const PATIENCE = 500;
/** From fine to coarse: pixels a side as parts of the screen's, whether there are shadows, how round balls are, and whether
 * edges are drawn. */
const LADDER = [
  { pixels: 1, shadows: true, round: true, edges: true },
  { pixels: 0.75, shadows: true, round: true, edges: true },
  { pixels: 0.5, shadows: true, round: false, edges: true },
  { pixels: 0.5, shadows: false, round: false, edges: true },
  { pixels: 0.36, shadows: false, round: false, edges: false },
];
/** Where a computer without a graphics card begins. */
const SOFTWARE_RUNG = 2;
/** With more bodies than this it begins with the coarsest. */
const MANY = 100;

export class Stage {
  /** Of what the scene is told: live, the first picture is wanted soon, and moves. */
  constructor(canvas, changed, { live, bodies }) {
    this.canvas = canvas;
    this.changed = changed;
    this.frozen = /(^|[#&])[tf]=/.test(location.hash);
    // a browser that draws on the processor says so by refusing; asking for two contexts would take twice as long
    const wanted = { antialias: true, alpha: true, depth: true, preserveDrawingBuffer: this.frozen };
    let context = canvas.getContext("webgl2", { ...wanted, failIfMajorPerformanceCaveat: true });
    this.software = !context || SOFTWARE.test(rendererName(context));
    // without a graphics card smooth edges cost half of the time; a still has it to spare
    this.fast = this.software && !this.frozen;
    context ??= canvas.getContext("webgl2", { ...wanted, antialias: !this.fast });
    if (!context) throw new Error("this browser has no WebGL 2");
    this.name = rendererName(context);
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: !this.fast, alpha: true, preserveDrawingBuffer: this.frozen });
    // what is checked waits for the compiler, shader by shader
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = this.fast ? THREE.BasicShadowMap : THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // only when a body moved
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.setClearColor(0, 0);
    this.scene = new THREE.Scene();
    // the rung to play on
    this.moving = this.fast ? (bodies.length > MANY ? LADDER.length - 1 : SOFTWARE_RUNG) : 0;
    this.rung = live ? this.moving : 0;
    this.spent = 0;
    this.drawn = 0;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    window.addEventListener("resize", () => this.resize());
  }

  lights(extent, up) {
    this.light = new Light();
    this.sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1.6);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.4);
    const reach = 1.6 * extent.radius;
    this.sun.position.copy(extent.centre).add(up.of(-0.75, -1.35, 2.2).multiplyScalar(reach));
    this.sky.position.copy(up.axis);
    this.sun.target.position.copy(extent.centre);
    this.sun.castShadow = LADDER[this.rung].shadows;
    const side = this.fast ? 512 : 2048;
    this.sun.shadow.mapSize.set(side, side);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.1 * reach, far: 8 * reach });
    this.sun.shadow.normalBias = 0.004 * reach;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 3;
    // from beside the viewer, that no face in sight is black
    this.lamp = new THREE.DirectionalLight(0xffffff, 1.0);
    this.scene.add(this.sky, this.sun, this.sun.target, this.lamp, this.lamp.target);
  }

  theme(dark) {
    this.sky.color.set(dark ? 0xdfe8f5 : 0xffffff);
    this.sky.groundColor.set(dark ? 0x4a5462 : 0xb9c0c8);
    this.sky.intensity = dark ? 1.9 : 2.2;
    this.sun.intensity = dark ? 2.3 : 2.4;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2) * LADDER[this.rung].pixels * (this.fast && this.rung === 0 ? 1.5 : 1));
    this.renderer.setSize(width, height, false);
    this.onResize?.(width, height);
  }

  /** Coarser when pictures are slow for a while; never finer again, for that would flicker. */
  adapt(ms) {
    this.spent += ms;
    this.drawn++;
    if (this.spent < PATIENCE || this.drawn < 3) return;
    const mean = this.spent / this.drawn;
    this.spent = this.drawn = 0;
    if (mean > SLOW) this.moving = Math.min(this.rung + (mean > 3 * SLOW ? 2 : 1), LADDER.length - 1);
    this.fine(this.moving);
  }

  /** A still is always fine. */
  rest() {
    this.fine(0);
  }

  resume() {
    this.spent = this.drawn = 0;
    this.fine(this.moving);
  }

  /** What the rung to begin with leaves away. */
  get detail() {
    return LADDER[this.rung];
  }

  fine(rung) {
    if (rung === this.rung) return;
    this.rung = rung;
    this.sun.castShadow = LADDER[rung].shadows;
    this.onRung?.(LADDER[rung]);
    this.renderer.shadowMap.needsUpdate = true;
    this.resize();
  }

  render(lens) {
    this.lamp.position.set(1, 0.4, 0).applyQuaternion(lens.quaternion).add(lens.position);
    this.lamp.target.position.set(0, 0, -2).applyQuaternion(lens.quaternion).add(lens.position);
    // shadows are for shaders to find, and fall from what is turned away, too
    if (this.sun.castShadow) this.onRender?.();
    else this.onRender?.(this.light.read(this.sky, [this.sun, this.lamp]), lens.position);
    this.renderer.render(this.scene, lens);
  }
}

/** Renderers that draw on the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** What draws, as it calls itself. */
function rendererName(gl) {
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  return named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "unknown";
}
