import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { gzipAsync as zopfli } from "@gfx/zopfli";
import tailwindcss from "@tailwindcss/vite";
import { createLogger, defineConfig, type Plugin } from "vite";

/** The build of the operators' console: a bundle of its own, of which the players' site loads nothing. */

const web = import.meta.dirname;
const built = join(web, "build/operate");
/** The folder of the Go package that serves it. */
const target = join(web, "../internal/site/console");

/** React Router's production build; see vite.config.ts. */
const router = (file: string) => fileURLToPath(import.meta.resolve("react-router").replace(/\/dist\/.*/, `/dist/production/${file}.mjs`));

/** The maximum size of the scripts, in bytes after gzip. */
const budget = 180 * 1024;

/** Checks what was built by the server's content security policy and the budget, and copies it to the server's folder. */
const toServer: Plugin = {
  name: "to-server",
  apply: "build",
  async closeBundle(error) {
    if (error) return;
    const page = await readFile(join(built, "index.html"), "utf8");
    const inline = /<[a-z][^>]*\s(style|on[a-z]+)=|<(style)\b|<script(?![^>]*\ssrc=)[^>]*>/.exec(page);
    if (inline) throw new Error(`The console's page has something inline: ${inline[0]}`);
    await mkdir(target, { recursive: true });
    for (const name of await readdir(target)) if (name !== "README.md") await rm(join(target, name), { recursive: true });
    let scripts = 0;
    for (const name of await filesIn(built)) {
      await mkdir(dirname(join(target, name)), { recursive: true });
      await cp(join(built, name), join(target, name));
      const gzipped = await compress(join(target, name));
      if (extname(name) === ".js") scripts += gzipped;
    }
    createLogger().info(`${(scripts / 1024).toFixed(1)} KiB of scripts  /operate`);
    if (scripts > budget) throw new Error(`The console has ${scripts} bytes of scripts after gzip, more than ${budget}.`);
  },
};

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Writes the compressed forms of a file beside it, if they are smaller, and returns the size of its gzip form. */
async function compress(path: string): Promise<number> {
  if (![".js", ".css", ".svg"].includes(extname(path))) return 0;
  const body = await readFile(path);
  const forms = {
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    gz: await zopfli(body, { numiterations: 15 }),
  };
  for (const [suffix, bytes] of Object.entries(forms)) if (bytes.length < body.length) await writeFile(`${path}.${suffix}`, bytes);
  return forms.gz.length;
}

export default defineConfig(({ command }) => ({
  root: join(web, "operate"),
  base: "/operate/",
  publicDir: false,
  plugins: [tailwindcss(), toServer],
  resolve: {
    tsconfigPaths: true,
    alias:
      command === "build"
        ? [
            { find: /^react-router$/, replacement: router("index") },
            { find: /^react-router\/dom$/, replacement: router("dom-export") },
          ]
        : [],
  },
  build: {
    outDir: built,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2023",
    rolldownOptions: {
      // "use client" of the libraries, which means nothing here.
      onwarn(warning, warn) {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": "http://127.0.0.1:8080" },
  },
}));
