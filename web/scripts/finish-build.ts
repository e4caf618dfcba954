/**
 * What is left to do when React Router has built the site: make the pages lighter, refuse what the server's content
 * security policy would block or what is over budget, and hand the files over to the Go package that serves them.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { gzipAsync as zopfli } from "@gfx/zopfli";

/** The most a page may load as JavaScript before it is interactive, in bytes after gzip. */
const budgets = [
  { area: /^\/(kod-marketplace|portal|shipwright\/account)(\/|$)/, bytes: 260 * 1024 },
  { area: /^/, bytes: 120 * 1024 },
];

interface Script {
  source: string;
  /** What the server sends: gzip, packed as tightly as the format allows (zopfli), 3 % less than zlib's best. */
  gzip: Buffer;
}

interface RouteEntry {
  id: string;
  path?: string | undefined;
  index?: boolean | undefined;
  parentId?: string | undefined;
}

/** Finishes the build under `root` (the web workspace) and copies it to the server's folder. */
export async function finishBuild(routes: Record<string, RouteEntry | undefined>, root: string): Promise<void> {
  const built = join(root, "build/client");
  const target = join(root, "../internal/site/dist");

  const files = (await readdir(built, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(built, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(".vite/"));
  const scripts = new Map<string, Script>();
  for (const name of files.filter((f) => extname(f) === ".js")) {
    const bytes = await readFile(join(built, name));
    scripts.set(`/${name}`, { source: bytes.toString(), gzip: Buffer.from(await zopfli(bytes, { numiterations: 15 })) });
  }

  const faults: string[] = [];
  for (const name of files.filter((f) => extname(f) === ".html")) {
    // Preloading every script ahead of the first paint delays the fonts and the picture that are part of it.
    const html = (await readFile(join(built, name), "utf8")).replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
    await writeFile(join(built, name), html);
    const attribute = /<[a-z][^>]*\s(style|on[a-z]+)=/.exec(html);
    if (attribute) faults.push(`${name}: inline ${attribute[1]} attribute in ${attribute[0].slice(0, 80)}`);
    faults.push(...overBudget(name, html, scripts));
  }
  if (faults.length) throw new Error(`The build breaks its rules:\n  ${faults.join("\n  ")}`);

  await empty(target);
  for (const name of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await cp(join(built, name), join(target, name));
    await compress(join(target, name), scripts.get(`/${name}`)?.gzip);
  }
  await writeFile(join(target, "routes.json"), `${JSON.stringify(patterns(routes))}\n`);
}

/** The address patterns of all pages, as the server matches them. The catch-all is the server's own business. */
function patterns(routes: Record<string, RouteEntry | undefined>): string[] {
  const parents = new Set(Object.values(routes).map((route) => route?.parentId));
  const full = (route: RouteEntry | undefined): string => (route ? [full(routes[route.parentId ?? ""]), route.path].filter(Boolean).join("/") : "");
  return Object.values(routes)
    .filter((route) => route !== undefined && !parents.has(route.id))
    .map((route) => `/${full(route)}`)
    .filter((pattern) => !pattern.includes("*"))
    .sort();
}

function overBudget(name: string, html: string, scripts: Map<string, Script>): string[] {
  const page = `/${name.replace(/\/?index\.html$/, "")}`;
  const budget = budgets.find((b) => b.area.test(page));
  const bytes = [...reachable(html, scripts)].reduce((sum, path) => sum + (scripts.get(path)?.gzip.length ?? 0), 0);
  console.log(`${(bytes / 1024).toFixed(1).padStart(7)} KiB of scripts  ${page}`);
  return budget && bytes > budget.bytes ? [`${page}: ${bytes} bytes of scripts after gzip, more than ${budget.bytes}`] : [];
}

/** The scripts a page loads at once: those it names and all that they import statically. */
function reachable(html: string, scripts: Map<string, Script>): Set<string> {
  const found = new Set<string>();
  const queue = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map((match) => match[1] ?? "");
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const script = scripts.get(path);
    if (script === undefined || found.has(path)) continue;
    found.add(path);
    for (const match of script.source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g)) queue.push(`/assets/${match[1]?.slice(2)}`);
  }
  return found;
}

/** Writes the compressed forms of a file beside it, where they are smaller. `gz` is the gzip form, if it is there already. */
async function compress(path: string, gz?: Buffer): Promise<void> {
  if (![".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".xml"].includes(extname(path))) return;
  const body = await readFile(path);
  const forms = {
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    gz: gz ?? gzipSync(body, { level: 9 }),
  };
  for (const [suffix, bytes] of Object.entries(forms)) if (bytes.length < body.length) await writeFile(`${path}.${suffix}`, bytes);
}

/** Empties the server's folder, but for the note that is committed there. */
async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name !== "README.md") await rm(join(folder, name), { recursive: true });
}
