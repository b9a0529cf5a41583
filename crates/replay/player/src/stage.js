// The canvas: renderer, lights, and how fine the picture is.
import * as THREE from "three";

/** Slower than this, ms, and the picture becomes coarser while it moves. */
const SLOW = 30;
/** Pixels a side, as parts of the screen's. The last is without shadows. */
const LADDER = [1, 0.75, 0.5, 0.5];

export class Stage {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.frozen = /(^|[#&])[tf]=/.test(location.hash);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: this.frozen });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.setClearColor(0, 0);
    const gl = this.renderer.getContext();
    const named = gl.getExtension("WEBGL_debug_renderer_info");
    this.name = named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "unknown";
    this.scene = new THREE.Scene();
    this.rung = 0;
    this.slow = 0;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    window.addEventListener("resize", () => this.resize());
  }

  light(extent) {
    this.sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1.6);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.4);
    const reach = 1.6 * extent.radius;
    this.sun.position.copy(extent.centre).add(new THREE.Vector3(-0.75, -1.35, 2.2).multiplyScalar(reach));
    this.sun.target.position.copy(extent.centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.1 * reach, far: 8 * reach });
    this.sun.shadow.normalBias = 0.004 * reach;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 3;
    // from beside the viewer, that no face in sight is black
    this.lamp = new THREE.DirectionalLight(0xffffff, 0.8);
    this.scene.add(this.sky, this.sun, this.sun.target, this.lamp, this.lamp.target);
  }

  theme(dark) {
    this.sky.color.set(dark ? 0xdfe8f5 : 0xffffff);
    this.sky.groundColor.set(dark ? 0x4a5462 : 0xb9c0c8);
    this.sky.intensity = dark ? 1.35 : 1.6;
    this.sun.intensity = dark ? 2.0 : 2.1;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2) * LADDER[this.rung]);
    this.renderer.setSize(width, height, false);
    this.onResize?.(width, height);
  }

  /** Coarser after twenty slow pictures on end; a still is always fine. */
  adapt(ms) {
    this.slow = ms > SLOW ? this.slow + 1 : Math.max(this.slow - 2, 0);
    if (this.slow >= 20 && this.rung < LADDER.length - 1) {
      this.fine(this.rung + 1);
      this.slow = 0;
    }
  }

  rest() {
    if (this.rung) this.resting = this.rung;
    this.fine(0);
  }

  resume() {
    if (this.resting) this.fine(this.resting);
  }

  fine(rung) {
    if (rung === this.rung) return;
    this.rung = rung;
    this.sun.castShadow = rung < LADDER.length - 1;
    this.resize();
  }

  render(lens) {
    this.lamp.position.set(1, 0.4, 0).applyQuaternion(lens.quaternion).add(lens.position);
    this.lamp.target.position.set(0, 0, -2).applyQuaternion(lens.quaternion).add(lens.position);
    this.renderer.render(this.scene, lens);
  }
}
