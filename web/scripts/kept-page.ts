import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "vite";

const name = "virtual:kept-page";
const folder = join(import.meta.dirname, "../app/features/packs/draw/kept");

/** Where a receipt is put in; `app/features/packs/draw/keep.ts` has the same. */
const place = '{"receipt":"","from":""}';

/**
 * `virtual:kept-page` exports the page that players keep of an opening, as HTML without a receipt: one file with its styles
 * and its script, which is built from the same code that checks receipts on the site. Its policy lets it load nothing.
 */
export function keptPage(): Plugin {
  return {
    name: "kept-page",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      return `export default ${JSON.stringify(await keptHtml())};`;
    },
  };
}

/** The page without a receipt. It depends on the sources and the versions of the libraries alone. */
export async function keptHtml(): Promise<string> {
  const [style, script, curves, hashes] = await Promise.all([
    readFile(join(folder, "page.css"), "utf8"),
    bundle(),
    licenceOf("curves"),
    licenceOf("hashes"),
  ]);
  const sum = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${sum(script)}; style-src ${sum(style)}; base-uri 'none'; form-action 'none'`;
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="color-scheme" content="light dark">
    <title>A pack's opening, which checks itself</title>
    <style>${style}</style>
  </head>
  <body>
    <main id="main">
      <noscript><p>This page repeats a draw with a script. Allow it here; it loads nothing from anywhere.</p></noscript>
    </main>
    <script type="application/json" id="kept">${place}</script>
    <script>${script}</script>
    <!-- The script has parts of @noble/curves and @noble/hashes.

${curves === hashes ? curves : `${curves}\n${hashes}`}-->
  </body>
</html>
`;
  if (page.split(place).length !== 2 || page.split("</script").length !== 3)
    throw new Error("The kept page has its parts not exactly once.");
  return page;
}

/** The licence of one of noble's libraries, which has to be in copies of it. */
const licenceOf = (library: string) => readFile(join(import.meta.dirname, "../../node_modules/@noble", library, "LICENSE"), "utf8");

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: join(folder, "main.ts"), output: { format: "iife" } },
    },
  });
  const [chunk] = Array.isArray(built) || !("output" in built) ? [] : built.output;
  if (chunk?.type !== "chunk") throw new Error("The script of the kept page was not built.");
  return chunk.code.trim();
}
