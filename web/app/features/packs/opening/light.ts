/** The light of the scene: motes, bursts and rays on one canvas. It draws only while there is something to draw. */
export interface Light {
  /** How strongly motes are drawn towards the middle, 0 to 1; at 0 none come any more. */
  charge(power: number): void;
  /** Throws sparks from a point, in pixels from the middle of the canvas. */
  burst(x: number, y: number, colour: string, count: number, speed: number): void;
  /** Rays from the middle in a colour, of an opacity; 0 lets them fade. */
  rays(colour: string, opacity: number): void;
  stop(): void;
}

/** The maximum of motes and sparks together. */
const most = 260;
/** The maximum number of canvas pixels to a CSS pixel, and of all canvas pixels. */
const sharpest = 1.5;
const largest = 500_000;
const ember = "--color-ember-bright";

interface Mote {
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** In seconds. */
  age: number;
  lasts: number;
  size: number;
  drawn: boolean;
  sprite: CanvasImageSource;
}

/**
 * Starts the light: motes and sparks on a canvas, and rays on others, which the style sheet enlarges. Colours
 * are the theme's custom properties.
 */
export function light(canvas: HTMLCanvasElement, beams: readonly HTMLCanvasElement[]): Light | undefined {
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  const sprites = new Map<string, HTMLCanvasElement>();
  let motes: Mote[] = [];
  let width = 0;
  let height = 0;
  let frame = 0;
  let before = 0;
  let owed = 0;
  let pull = 0;

  const colourOf = (property: string) => getComputedStyle(canvas).getPropertyValue(property) || "#fff";

  /** A soft dot of a colour, drawn once. */
  function sprite(property: string): HTMLCanvasElement {
    const known = sprites.get(property);
    if (known) return known;
    const dot = document.createElement("canvas");
    dot.width = dot.height = 32;
    const own = dot.getContext("2d");
    if (own) {
      const glow = own.createRadialGradient(16, 16, 0, 16, 16, 16);
      glow.addColorStop(0, "#fff");
      glow.addColorStop(0.22, colourOf(property));
      glow.addColorStop(1, "transparent");
      own.fillStyle = glow;
      own.fillRect(0, 0, 32, 32);
    }
    sprites.set(property, dot);
    return dot;
  }

  /** Draws rays: small, since they are soft when they are enlarged. */
  function drawRays(beam: HTMLCanvasElement, colour: string, seed: number) {
    const half = 96;
    beam.width = beam.height = 2 * half;
    const own = beam.getContext("2d");
    if (!own) return;
    own.translate(half, half);
    const fade = own.createRadialGradient(0, 0, 8, 0, 0, half);
    fade.addColorStop(0, colour);
    fade.addColorStop(0.4, colour);
    fade.addColorStop(1, "transparent");
    own.fillStyle = fade;
    own.globalCompositeOperation = "lighter";
    for (let i = 0; i < 19; i++) {
      const angle = ((i + seed * 0.5) * Math.PI * 2) / 19 + Math.sin(i * 5.3 + seed) * 0.14;
      const width = 0.03 + 0.07 * Math.abs(Math.sin(i * 2.4 + seed));
      own.globalAlpha = 0.13 + 0.13 * Math.abs(Math.sin(i * 1.7));
      // From wide and faint to narrow and bright, so that the edges are soft.
      for (const part of [1, 0.66, 0.33]) {
        own.beginPath();
        own.moveTo(0, 0);
        for (const side of [-part, part]) own.lineTo(Math.cos(angle + width * side) * half, Math.sin(angle + width * side) * half);
        own.fill();
      }
    }
  }

  function resize() {
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    const scale = Math.min(devicePixelRatio, sharpest, Math.sqrt(largest / Math.max(1, width * height)));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
  }

  function add(mote: Omit<Mote, "age">) {
    if (motes.length < most) motes.push({ ...mote, age: 0 });
  }

  function draw(now: number) {
    frame = 0;
    const seconds = Math.min(0.05, (now - before) / 1000);
    before = now;

    owed += pull * 46 * seconds; // so many a second
    for (; owed >= 1; owed--) {
      const angle = Math.random() * Math.PI * 2;
      const far = Math.min(width, 900) * (0.3 + Math.random() * 0.2);
      const lasts = 0.8 + Math.random() * 0.7;
      const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far * 0.8];
      // A little sideways, so that they swirl in.
      add({
        x,
        y,
        vx: -x / lasts - y * 0.35,
        vy: -y / lasts + x * 0.35,
        lasts,
        size: 3 + Math.random() * 6,
        drawn: true,
        sprite: sprite(ember),
      });
    }

    const context2d = context as CanvasRenderingContext2D;
    const scale = canvas.width / Math.max(1, width);
    context2d.setTransform(1, 0, 0, 1, 0, 0);
    context2d.clearRect(0, 0, canvas.width, canvas.height);
    context2d.setTransform(scale, 0, 0, scale, canvas.width / 2, canvas.height / 2);
    context2d.globalCompositeOperation = "lighter";

    for (const mote of motes) {
      mote.age += seconds;
      mote.x += mote.vx * seconds;
      mote.y += mote.vy * seconds;
      if (!mote.drawn) {
        mote.vx *= 1 - 1.6 * seconds;
        mote.vy = mote.vy * (1 - 1.6 * seconds) + 90 * seconds;
      }
      const part = mote.age / mote.lasts;
      context2d.globalAlpha = Math.max(0, mote.drawn ? Math.sin(Math.PI * part) * 0.8 : 1 - part);
      const size = mote.size * (mote.drawn ? 1.2 - part * 0.7 : 1);
      context2d.drawImage(mote.sprite, mote.x - size / 2, mote.y - size / 2, size, size);
    }
    motes = motes.filter((mote) => mote.age < mote.lasts);
    wake();
  }

  const busy = () => motes.length > 0 || pull > 0;

  /** Asks for the next frame, if there is something to draw and somebody to see it. */
  function wake() {
    if (frame || document.hidden) return;
    if (busy()) frame = requestAnimationFrame(draw);
    else context?.clearRect(-width, -height, 2 * width, 2 * height);
  }

  function start() {
    if (!frame) before = performance.now();
    wake();
  }

  function seen() {
    cancelAnimationFrame(frame);
    frame = 0;
    start();
  }

  resize();
  addEventListener("resize", resize);
  document.addEventListener("visibilitychange", seen);
  return {
    charge(power) {
      pull = power;
      start();
    },
    burst(x, y, colour, count, speed) {
      const dot = sprite(colour);
      for (let i = 0; i < count; i++) {
        const angle = Math.random() * Math.PI * 2;
        const fast = speed * (0.25 + Math.random() * 0.9);
        const lasts = 0.5 + Math.random() * 0.9;
        add({
          x,
          y,
          vx: Math.cos(angle) * fast,
          vy: Math.sin(angle) * fast - speed * 0.25,
          lasts,
          size: 3 + Math.random() * 8,
          drawn: false,
          sprite: dot,
        });
      }
      start();
    },
    rays(colour, opacity) {
      beams.forEach((beam, seed) => {
        if (opacity > 0) drawRays(beam, colourOf(colour), seed);
        beam.style.opacity = String(opacity);
      });
    },
    stop() {
      cancelAnimationFrame(frame);
      removeEventListener("resize", resize);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
