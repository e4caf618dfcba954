// Measures pages of a running portal with Lighthouse, as on a phone with a slow network, and prints a table:
//
//   BASE_URL=http://127.0.0.1:8080 node run.mjs            every page of the site map
//   BASE_URL=http://127.0.0.1:8080 node run.mjs / /games   these
//
// THROTTLING=devtools throttles the browser instead of simulating the slow network.
//
// Scores are those of the median of three runs by performance. What keeps a score from 100 is listed below the table.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const base = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const runs = Number(process.env.RUNS ?? 3);
/** How the network is throttled: "simulate" computes it from a fast run, "devtools" throttles the browser. */
const throttling = process.env.THROTTLING ?? "simulate";
const categories = ["performance", "accessibility", "best-practices", "seo"];

async function sitemap() {
  const text = await (await fetch(`${base}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url).pathname);
}

async function measure(chrome, path) {
  const results = [];
  // Occasionally the browser loses a trace or a page; such a run does not count.
  for (let lost = 0; results.length < runs; ) {
    const flags = { port: chrome.port, onlyCategories: categories, formFactor: "mobile", throttlingMethod: throttling, logLevel: "error" };
    const lhr = await lighthouse(base + path, flags).then(
      (result) => result.lhr,
      (error) => ({ runtimeError: error }),
    );
    if (!lhr.runtimeError) {
      results.push(lhr);
      continue;
    }
    console.error(`${path}: a run is lost: ${lhr.runtimeError.message}`);
    if (++lost > 3) throw new Error(`${path}: too many runs are lost`);
  }
  results.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
  return results[Math.floor(results.length / 2)];
}

/** Audits that cost points, with their findings. */
function faults(lhr) {
  return categories.flatMap((id) =>
    lhr.categories[id].auditRefs
      .filter(({ id: audit, weight }) => weight > 0 && lhr.audits[audit].score !== null && lhr.audits[audit].score < 1)
      .map(({ id: audit }) => `${audit} ${lhr.audits[audit].displayValue ?? ""} ${nodes(lhr.audits[audit])}`.trim()),
  );
}

const nodes = ({ details }) =>
  (details?.items ?? [])
    .slice(0, 3)
    .map(({ node, description }) => node?.selector ?? description ?? "")
    .filter(Boolean)
    .join("; ");

const chrome = await launch({ chromePath: process.env.CHROME ?? "/usr/bin/chromium", chromeFlags: ["--headless=new", "--no-sandbox"] });
try {
  const paths = process.argv.length > 2 ? process.argv.slice(2) : await sitemap();
  const notes = [];
  console.log("| page | performance | accessibility | best practices | SEO | FCP | LCP | CLS | TBT | scripts, KiB |");
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const path of paths) {
    const lhr = await measure(chrome, path);
    const scores = categories.map((id) => Math.round(lhr.categories[id].score * 100));
    const value = (audit) => lhr.audits[audit].numericValue;
    const seconds = (audit) => `${(value(audit) / 1000).toFixed(2)} s`;
    const scripts = lhr.audits["network-requests"].details.items
      .filter(({ resourceType }) => resourceType === "Script")
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
    console.log(
      `| ${path} | ${scores.join(" | ")} | ${seconds("first-contentful-paint")} | ${seconds("largest-contentful-paint")} | ` +
        `${value("cumulative-layout-shift").toFixed(3)} | ${Math.round(value("total-blocking-time"))} ms | ` +
        `${(scripts / 1024).toFixed(1)} |`,
    );
    notes.push(...faults(lhr).map((fault) => `${path}: ${fault}`));
  }
  if (notes.length) console.log(`\n${notes.join("\n")}`);
} finally {
  await chrome.kill();
}
