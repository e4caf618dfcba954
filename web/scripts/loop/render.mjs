// Renders the marketplace's loader to the clip and the still that are committed beside its component. Needs Chromium
// and ffmpeg; run it again after changing scene.html: node scripts/loop/render.mjs
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const frames = 96;
const framesPerSecond = 24;
const size = 640;
const limit = 150_000; // bytes

const here = fileURLToPath(new URL(".", import.meta.url));
const target = join(here, "../../app/components/site");
const folder = await mkdtemp(join(tmpdir(), "loop-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.goto(`file://${join(here, "scene.html")}`);
  for (let i = 0; i < frames; i++) {
    await page.evaluate((t) => window.draw(t), i / frames);
    await page.screenshot({ path: join(folder, `${String(i).padStart(3, "0")}.png`) });
  }
  const frame = (name) => join(folder, name);
  const clip = join(target, "market-loop.mp4");
  execFileSync("ffmpeg", [
    ...["-loglevel", "error", "-y", "-framerate", String(framesPerSecond), "-i", frame("%03d.png"), "-an"],
    ...["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "33", "-pix_fmt", "yuv420p", "-g", String(frames)],
    ...["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
    ...["-movflags", "+faststart", clip],
  ]);
  execFileSync("ffmpeg", [
    "-loglevel",
    "error",
    "-y",
    "-i",
    frame("000.png"),
    "-c:v",
    "libwebp",
    "-quality",
    "72",
    join(target, "market-still.webp"),
  ]);
  const { size: bytes } = await stat(clip);
  if (bytes > limit) throw new Error(`The clip has ${bytes} bytes, more than ${limit}.`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
