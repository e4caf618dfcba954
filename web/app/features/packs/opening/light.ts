/** The light of the scene: motes, bursts and rays on one canvas. It draws only while there is something to draw. */
export interface Light {
  /** How strongly motes are drawn towards the middle, 0 to 1; at 0 none come any more. */
  charge(power: number): void;
  /** Throws sparks from a point, in pixels from the middle of the canvas. */
  burst(x: number, y: number, colour: string, count: number, speed: number): void;
  /** Rays from the middle in a colour; power 0 lets them fade. */
  rays(colour: string, power: number): void;
  stop(): void;
}

/** The maximum of motes and sparks together. */
const most = 260;
/** The maximum number of canvas pixels to a CSS pixel, and of all canvas pixels. */
const sharpest = 1.5;
const largest = 1_300_000;
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

/** Starts the light on a canvas; colours are the theme's custom properties. */
export function light(canvas: HTMLCanvasElement): Light | undefined {
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  const sprites = new Map<string, HTMLCanvasElement>();
  const rays = new Map<string, HTMLCanvasElement>();
  let motes: Mote[] = [];
  let width = 0;
  let height = 0;
  let frame = 0;
  let before = 0;
  let owed = 0;
  let pull = 0;
  let ray = { colour: ember, power: 0, now: 0, turn: 0 };

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

  /** Rays of a colour, drawn once; small, since they are soft when they are enlarged. */
  function beams(property: string): HTMLCanvasElement {
    const known = rays.get(property);
    if (known) return known;
    const picture = document.createElement("canvas");
    picture.width = picture.height = 192;
    const own = picture.getContext("2d");
    if (own) {
      own.translate(96, 96);
      const fade = own.createRadialGradient(0, 0, 8, 0, 0, 96);
      fade.addColorStop(0, colourOf(property));
      fade.addColorStop(1, "transparent");
      own.fillStyle = fade;
      own.globalCompositeOperation = "lighter";
      for (let i = 0; i < 19; i++) {
        const angle = (i * Math.PI * 2) / 19 + Math.sin(i * 5.3) * 0.14;
        const half = 0.03 + 0.07 * Math.abs(Math.sin(i * 2.4));
        // Each from wide and faint to narrow and bright, so that its edges are soft.
        for (const wide of [1, 0.66, 0.33]) {
          own.globalAlpha = 0.1 + 0.08 * Math.abs(Math.sin(i * 1.7));
          own.beginPath();
          own.moveTo(0, 0);
          own.lineTo(Math.cos(angle - half * wide) * 96, Math.sin(angle - half * wide) * 96);
          own.lineTo(Math.cos(angle + half * wide) * 96, Math.sin(angle + half * wide) * 96);
          own.fill();
        }
      }
    }
    rays.set(property, picture);
    return picture;
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

    owed += pull * 46 * seconds;
    for (; owed >= 1; owed--) {
      const angle = Math.random() * Math.PI * 2;
      const far = Math.min(width, 900) * (0.3 + Math.random() * 0.2);
      const lasts = 0.8 + Math.random() * 0.7;
      const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far * 0.8];
      // A little sideways, so that they swirl in.
      add({ x, y, vx: -x / lasts - y * 0.35, vy: -y / lasts + x * 0.35, lasts, size: 3 + Math.random() * 6, drawn: true, sprite: sprite(ember) });
    }
    ray.now += (ray.power - ray.now) * Math.min(1, seconds * 5);
    ray.turn += seconds * 0.16;

    const context2d = context as CanvasRenderingContext2D;
    const scale = canvas.width / Math.max(1, width);
    context2d.setTransform(1, 0, 0, 1, 0, 0);
    context2d.clearRect(0, 0, canvas.width, canvas.height);
    context2d.setTransform(scale, 0, 0, scale, canvas.width / 2, canvas.height / 2);
    context2d.globalCompositeOperation = "lighter";

    if (ray.now > 0.01) {
      // Two turns of the same rays against each other: they shimmer.
      const reach = Math.min(Math.max(width, height) * 0.62, 640);
      const picture = beams(ray.colour);
      context2d.globalAlpha = Math.min(1, ray.now);
      for (const turn of [ray.turn, -ray.turn * 0.7 + 0.2]) {
        context2d.rotate(turn);
        context2d.drawImage(picture, -reach, -reach, 2 * reach, 2 * reach);
        context2d.rotate(-turn);
      }
    }

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

  const busy = () => motes.length > 0 || pull > 0 || ray.power > 0 || ray.now > 0.01;

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
        add({ x, y, vx: Math.cos(angle) * fast, vy: Math.sin(angle) * fast - speed * 0.25, lasts, size: 3 + Math.random() * 8, drawn: false, sprite: dot });
      }
      start();
    },
    rays(colour, power) {
      ray = { ...ray, colour, power };
      start();
    },
    stop() {
      cancelAnimationFrame(frame);
      removeEventListener("resize", resize);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
