/**
 * What is left to do when React Router has built the site: make the pages lighter, refuse what the server's content
 * security policy would block or what is over budget, and hand the files over to the Go package that serves them.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The most a page may load as JavaScript before it is interactive, in bytes after gzip. */
const budgets = [
  { area: /^\/(kod-marketplace|portal)(\/|$)/, bytes: 260 * 1024 },
  { area: /^/, bytes: 115 * 1024 },
];

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
  const scripts = new Map<string, string>();
  for (const name of files.filter((f) => extname(f) === ".js")) scripts.set(`/${name}`, await readFile(join(built, name), "utf8"));

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
    await compress(join(target, name));
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

function overBudget(name: string, html: string, scripts: Map<string, string>): string[] {
  const page = `/${name.replace(/\/?index\.html$/, "")}`;
  const budget = budgets.find((b) => b.area.test(page));
  const bytes = [...reachable(html, scripts)].reduce((sum, path) => sum + gzipSync(scripts.get(path) ?? "", { level: 9 }).length, 0);
  console.log(`${(bytes / 1024).toFixed(1).padStart(7)} KiB of scripts  ${page}`);
  return budget && bytes > budget.bytes ? [`${page}: ${bytes} bytes of scripts after gzip, more than ${budget.bytes}`] : [];
}

/** The scripts a page loads at once: those it names and all that they import statically. */
function reachable(html: string, scripts: Map<string, string>): Set<string> {
  const found = new Set<string>();
  const queue = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map((match) => match[1] ?? "");
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const source = scripts.get(path);
    if (source === undefined || found.has(path)) continue;
    found.add(path);
    for (const match of source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g)) queue.push(`/assets/${match[1]?.slice(2)}`);
  }
  return found;
}

/** Writes the compressed forms of a file beside it, where they are smaller. */
async function compress(path: string): Promise<void> {
  if (![".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".xml"].includes(extname(path))) return;
  const body = await readFile(path);
  const forms = {
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    gz: gzipSync(body, { level: 9 }),
  };
  for (const [suffix, bytes] of Object.entries(forms)) if (bytes.length < body.length) await writeFile(`${path}.${suffix}`, bytes);
}

/** Empties the server's folder, but for the note that is committed there. */
async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name !== "README.md") await rm(join(folder, name), { recursive: true });
}
