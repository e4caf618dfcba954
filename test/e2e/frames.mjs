// Prints the frame rate and the main thread's longest tasks during the opening of packs, as a table, from a running portal
// with a fresh demo world. Chromium draws without a graphics card, on the cores that the portal uses too. Tasks are
// measured by the clock, as players feel them, and by the processor time that they take, which other processes do not
// lengthen:
//
//   BASE_URL=http://127.0.0.1:8080 node test/e2e/frames.mjs
import { base, desktop, eventually, phone, player, register, start, unitsOf } from "./journeys/browser.mjs";

const [pack] = (await (await fetch(`${base}/api/marketplace/getProducts`)).json()).products;

/** Puts more packs into the cart until it holds `count`, and pays. */
async function buy(page, count) {
  await page.goto(`${base}/kod-marketplace`);
  const card = page.getByRole("article", { name: pack.name });
  const value = card.getByRole("status").nth(1);
  for (let held = 0; held < count; held += 5) {
    while ((await value.textContent()) !== "5") await card.getByRole("button", { name: "One more" }).click();
    await card.getByRole("button", { name: `Buy 5 × ${pack.name}` }).click();
    const age = page.getByRole("button", { name: "I am 18 or older" });
    const inCart = card.getByText(`${held + 5} in your cart`);
    await age.or(inCart).waitFor();
    if (await age.isVisible()) await age.click();
    await inCart.waitFor();
  }
  await card.getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await pay.click();
  await page.getByText("It is yours").waitFor({ timeout: 30_000 });
}

/** Opens packs and records frames, tasks and phases, from the press of "Open" until the cards have arrived. */
async function open(page, count) {
  await page.goto(`${base}/kod-marketplace/packs`);
  const name = count > 1 ? `Open ${count} × ${pack.name}` : `Open ${pack.name}`;
  await page.getByRole("article", { name: pack.name }).getByRole("button", { name, exact: true }).click();
  await page.getByText("Hold the pack until the ring is full.").waitFor();
  await page.evaluate(() => {
    const record = { frames: [], tasks: [], phases: [] };
    window.record = record;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) record.tasks.push({ startTime, duration });
    }).observe({ type: "longtask" });
    const frame = (now) => {
      record.frames.push(now);
      const phase = document.querySelector(".opening")?.dataset.phase;
      if (phase && record.phases.at(-1)?.phase !== phase) record.phases.push({ phase, at: now });
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: count > 1 ? `Your ${count} cards` : "Your card" }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1500);
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString());
  const threads = events
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const times = events
    .filter(({ name, pid, tid }) => name === "RunTask" && threads.includes(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  return { ...(await page.evaluate(() => window.record)), processor: Math.max(...times) };
}

function line(width, count, { frames, tasks, phases, processor }) {
  const gaps = frames.slice(1).map((at, i) => at - frames[i]);
  const sorted = gaps.toSorted((a, b) => a - b);
  const long = tasks.map(
    ({ startTime, duration }) => `${Math.round(duration)} (${phases.findLast(({ at }) => at <= startTime)?.phase ?? "before"})`,
  );
  const cells = [
    `${width} px`,
    count,
    Math.round((gaps.length * 1000) / (frames.at(-1) - frames[0])),
    `${Math.round(sorted[Math.floor(sorted.length * 0.99)])} ms`,
    `${Math.round(sorted.at(-1))} ms`,
    `${processor.toFixed(1)} ms`,
    long.join(", ") || "none",
  ];
  return `| ${cells.join(" | ")} |`;
}

const browser = await start();
try {
  console.log(
    "| width | packs | frames a second | frame, p99 | longest frame | longest task, processor time | " +
      "tasks of 50 ms and more by the clock, ms (phase) |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const viewport of [phone, desktop]) {
    const { context, page } = await player(browser, viewport, { reducedMotion: "no-preference" });
    const { wallet } = await register(page);
    const has = (n) => eventually(`${n} packs`, async () => (await unitsOf(pack.contract, wallet, pack.productId)) === BigInt(n), 60_000);
    await has(1);
    console.log(line(viewport.width, 1, await open(page, 1)));
    await buy(page, 20);
    await has(20);
    console.log(line(viewport.width, 20, await open(page, 20)));
    await context.close();
  }
} finally {
  await browser.close();
}
