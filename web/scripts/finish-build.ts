/**
 * The steps after React Router's build: reduce its size, reject what violates the server's content security policy, a
 * budget or a page's requirements, and copy the files to the Go package that serves them.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { gzipAsync as zopfli } from "@gfx/zopfli";
import routes from "../app/routes.ts";
import { brand } from "../brand/index.ts";
import { legal } from "../brand/legal.ts";
import { roles } from "../brand/roles.ts";
import { addresses } from "./addresses.ts";
import { withOwnStyles, withoutFaces } from "./own-styles.ts";
import { faultsOf, readPage, withoutPicture } from "./pages.ts";
import { forSearchEngines } from "./robots.ts";
import { overBudget, type Script, weigh } from "./weight.ts";

/** Linked files that the server generates. */
const madeByServer = ["/api/openapi.json"];

/** Finishes the build under `root` (the web workspace) and copies it to the server's folder. */
export async function finishBuild(root: string): Promise<void> {
  const built = join(root, "build/client");
  const target = join(root, "../internal/site/dist");
  const write = (name: string, content: string) => writeFile(join(built, name), content);

  const scripts = new Map<string, Script>();
  for (const name of (await filesIn(built)).filter((f) => extname(f) === ".js")) {
    const written = await readFile(join(built, name), "utf8");
    const source = name.startsWith("assets/manifest-") ? slimManifest(written) : written;
    if (source !== written) await write(name, source);
    scripts.set(`/${name}`, { source, gzip: Buffer.from(await zopfli(Buffer.from(source), { numiterations: 15 })) });
  }

  for (const name of (await filesIn(built)).filter((f) => extname(f) === ".css")) {
    await write(name, withoutFaces(await readFile(join(built, name), "utf8")));
  }

  const faults: string[] = [];
  const pages = [];
  const bare = new Map<string, string>();
  const files = new Set((await filesIn(built)).map((name) => `/${name}`));
  for (const name of (await filesIn(built)).filter((f) => extname(f) === ".html")) {
    // Preloading every script before the first paint delays the fonts and the image that are part of it.
    let html = (await readFile(join(built, name), "utf8")).replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
    const { address, image } = readPage(name, html);
    if (image && !files.has(image)) bare.set(name, address);
    html = await withOwnStyles(html);
    await write(name, html);
    const attribute = /<[a-z][^>]*\s(style|on[a-z]+)=/.exec(html);
    if (attribute) faults.push(`${name}: inline ${attribute[1]} attribute in ${attribute[0].slice(0, 80)}`);
    const page = `/${name.replace(/\/?index\.html$/, "")}`;
    const weight = weigh(html, scripts);
    console.log(`${(weight.bytes / 1024).toFixed(1).padStart(7)} KiB of scripts  ${page}`);
    faults.push(...overBudget(page, weight));
    if (name.endsWith("index.html")) pages.push(readPage(name, html));
  }
  const patterns = addresses(routes);
  const { support, deleteAccount, legal: legalPages } = roles;
  const brandPages = { support, deleteAccount, legal: legalPages };
  for (const [role, path] of [["support", support], ["deleteAccount", deleteAccount], ...(legalPages ?? [""]).map((p) => ["legal", p])]) {
    if (!path || !patterns.includes(path)) faults.push(`roles.ts: ${role}: ${JSON.stringify(path)} is no page`);
  }
  faults.push(...faultsOf(pages, patterns, new Set([...files, ...madeByServer]), brand.name));
  if (faults.length) throw new Error(`The build breaks its rules:\n  ${faults.join("\n  ")}`);
  if (bare.size) console.warn(`No picture for shared links, make them with scripts/share-images: ${[...bare.values()].join(" ")}`);

  for (const [name, content] of Object.entries(forSearchEngines(pages))) await write(name, content);
  await write("manifest.webmanifest", webManifest());
  await empty(target);
  for (const name of await filesIn(built)) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    if (bare.has(name)) await writeFile(join(target, name), withoutPicture(await readFile(join(built, name), "utf8")));
    else await cp(join(built, name), join(target, name));
    await compress(join(target, name), scripts.get(`/${name}`)?.gzip);
  }
  await writeFile(join(target, "routes.json"), `${JSON.stringify(patterns)}\n`);
  await writeFile(join(target, "brand-pages.json"), `${JSON.stringify(brandPages)}\n`);
  // The server does not start in production with such a build.
  if ("replaced" in legal && legal.replaced === false) await writeFile(join(target, "placeholders.txt"), "web/legal.ts\n");
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(".vite/"))
    .sort();
}

/**
 * The route manifest that every page loads, without the router's defaults, which are what a route does not have, and without
 * the chunks that modules import, which the browser discovers itself. What all routes have is added when the script runs.
 */
function slimManifest(source: string): string {
  const begin = "window.__reactRouterManifest=";
  if (!source.startsWith(begin)) throw new Error("The router's table of routes has another form than it had; see slimManifest.");
  const manifest = JSON.parse(source.slice(begin.length).replace(/;\s*$/, "")) as {
    entry: { imports: string[]; css?: string[] };
    routes: Record<string, Record<string, unknown>>;
  };
  manifest.entry.imports = []; // the router reads the list
  delete manifest.entry.css;
  for (const [id, route] of Object.entries(manifest.routes)) {
    if (route.id !== id || route.hasDefaultExport !== true)
      throw new Error(`The route ${id} has another form than others; see slimManifest.`);
    delete route.id;
    delete route.hasDefaultExport;
    delete route.imports;
    for (const [name, value] of Object.entries(route))
      if (value === false || (Array.isArray(value) && value.length === 0)) delete route[name];
  }
  const complete = "for(const[i,r]of Object.entries(window.__reactRouterManifest.routes))r.id=i,r.hasDefaultExport=!0;";
  return `${begin}${JSON.stringify(manifest)};${complete}`;
}

/** The web app manifest, for home screens (W3C Web Application Manifest). */
function webManifest(): string {
  const icon = (size: number) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose: "any maskable" });
  return JSON.stringify({
    name: brand.name,
    short_name: brand.name,
    description: brand.description,
    start_url: "/",
    display: "standalone",
    background_color: brand.themeColour,
    theme_color: brand.themeColour,
    icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml" }, icon(192), icon(512)],
  });
}

/**
 * Writes the compressed forms of a file beside it, if they are smaller. Pages and files with the site's own address
 * are excluded: the server modifies and compresses them itself. `gz` is the gzip form, if it already exists.
 */
async function compress(path: string, gz?: Uint8Array): Promise<void> {
  if (![".js", ".css", ".svg", ".json", ".webmanifest"].includes(extname(path))) return;
  const body = await readFile(path);
  const forms = {
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    gz: gz ?? gzipSync(body, { level: 9 }),
  };
  for (const [suffix, bytes] of Object.entries(forms)) if (bytes.length < body.length) await writeFile(`${path}.${suffix}`, bytes);
}

/** Empties the server's folder, except for the committed README. */
async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name !== "README.md") await rm(join(folder, name), { recursive: true });
}
