/**
 * Text pages: MDX files become route modules. Requirements on a page and its elements are checked here, so that an
 * error in a text fails the build with file, line and field.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compile } from "@mdx-js/mdx";
import remarkGfm from "remark-gfm";
import type { Plugin } from "vite";
import type { ContentPage, Heading } from "../app/content/page.ts";
import routes from "../app/routes.ts";
import { brand } from "../brand/index.ts";
import { legal } from "../brand/legal.ts";
import { addresses, leadsSomewhere } from "./addresses.ts";

const root = join(import.meta.dirname, "..");

/** Minimum and maximum length of a page's fields. */
const lengths: Record<keyof ContentPage, [number, number]> = { title: [2, 60], description: [70, 160], heading: [2, 44], lead: [20, 240] };
/** The components a text may use besides Markdown; it imports `Questions` itself. */
const components = ["Facts", "Fact", "Note", "NotBuilt", "Picture", "Questions"];
const elements = ["a", "abbr", "br", "code", "em", "strong", "sub", "sup"];

/** A node of Markdown's syntax tree (mdast with MDX), as far as it is used here. */
interface Node {
  type: string;
  children?: Node[];
  position?: object;
  value?: string;
  depth?: number;
  url?: string;
  name?: string;
  attributes?: Attribute[];
  data?: { estree?: { body: Statement[] }; hProperties?: Record<string, string>; _mdxExplicitJsx?: boolean };
}
interface Attribute {
  type: string;
  name?: string;
  value?: string | null | { type: string; value: string; data?: object };
}
/** A statement of JavaScript's syntax tree (ESTree), as far as it is used here. */
interface Statement {
  type: string;
  declaration?: { declarations?: { id: { name: string }; init: { start: number; end: number } }[] };
}
interface File {
  toString(): string;
  data: object;
  fail(reason: string, place?: object): never;
}
/** What a text may refer to. */
interface Surroundings {
  /** The addresses of the site. */
  patterns: readonly string[];
  /** The folder of the images. */
  art: string;
}
/** What is collected from a text for its module. */
interface Found {
  headings: Heading[];
  pictures: Set<string>;
}

/**
 * Compiles every MDX file to two modules: the route module, with `page`, `headings`, `handle` and `meta`, and the
 * text itself, which the browser loads lazily: its prerendered form is already readable, and its links work.
 */
export function content(): Plugin {
  const around = { patterns: addresses(routes), art: join(root, "brand/art") };
  return {
    name: "content",
    enforce: "pre",
    /** The paths of tsconfig.json apply to TypeScript files; texts resolve their imports as if they were one. */
    resolveId(target, importer) {
      return importer && /\.mdx($|\?)/.test(importer) ? this.resolve(target, join(root, "app/root.tsx"), { skipSelf: true }) : null;
    },
    async transform(source, id) {
      const [file = "", query] = id.split("?");
      if (!file.endsWith(".mdx")) return null;
      const text = await compileText(source, relative(root, file), around);
      return { code: query === "text" ? text.code : routeModule(text, file), map: null, moduleType: "js" };
    },
  };
}

interface Text extends Found {
  page: ContentPage;
  /** The module that renders the text. */
  code: string;
}

/** Compiles one text. Throws `file:line:column: reason` if it breaks a rule. */
export async function compileText(source: string, path: string, around: Surroundings): Promise<Text> {
  const found: Found = { headings: [], pictures: new Set() };
  let page: ContentPage | undefined;
  const examine = () => (tree: unknown, file: unknown) => {
    page = pageOf(tree as Node, file as File);
    check(tree as Node, file as File, found, around);
  };
  const code = await compile(
    { value: source, path },
    { remarkPlugins: [remarkGfm, examine], providerImportSource: "~/components/site/prose" },
  ).catch((error: unknown) => {
    const { reason, line, column } = error as { reason?: string; line?: number; column?: number };
    throw new Error(`${path}${line ? `:${line}:${column}` : ""}: ${reason ?? String(error)}`);
  });
  const imports = [...found.pictures].map((name) => `import ${importOf(name)} from "~art/${name}.svg";\n`);
  return { ...found, page: page as unknown as ContentPage, code: imports.join("") + code };
}

/** The route module of a text. */
function routeModule({ page, headings }: Text, file: string): string {
  return `
    import { pageMeta } from "~/components/site/page-meta";
    import { deferred } from "~/lib/deferred";
    export const page = ${JSON.stringify(page)};
    export const headings = ${JSON.stringify(headings)};
    export const handle = { page, headings };
    export const meta = () => pageMeta(page.title, page.description);
    export default deferred(() => import(${JSON.stringify(`${file}?text`)}));
  `;
}

function check(tree: Node, file: File, found: Found, around: Surroundings): void {
  walk(tree, (node) => {
    if (node.type === "heading") heading(node, file, found);
    if (node.type === "image") file.fail(`a picture is written <Picture name="…" alt="…">`, node.position);
    if (node.type === "table") table(node);
    if (node.type === "link" || node.type === "definition") link(node.url ?? "", node, file, around);
    if (node.type.startsWith("mdxJsx") && node.name) element(node, file, found, around);
  });
  const ids = found.headings.map((h) => h.id);
  walk(tree, (node) => {
    const fragment = node.type === "link" && node.url?.startsWith("#") ? node.url.slice(1) : undefined;
    if (fragment !== undefined && !ids.includes(fragment)) file.fail(`link: there is no heading #${fragment} on this page`, node.position);
  });
}

/** From which number of columns a table is stacked on phones, and from which length of a cell, in characters. */
const wordy = { columns: 3, cell: 28 };

/**
 * Marks a table whose cells are sentences, so that phones stack its rows: each cell gets the name of its column, and
 * each element its implicit role, which the style sheet's layout would otherwise remove.
 */
function table(node: Node): void {
  const [head, ...rows] = node.children ?? [];
  const columns = (head?.children ?? []).map(textOf);
  const cells = rows.flatMap((row) => row.children ?? []);
  const stacked = columns.length >= wordy.columns && cells.some((cell) => textOf(cell).length > wordy.cell);
  if (!stacked) return;
  node.data = { ...node.data, hProperties: { role: "table", className: "stacked" } };
  for (const row of node.children ?? []) {
    row.data = { ...row.data, hProperties: { role: "row" } };
    row.children?.forEach((cell, index) => {
      const label = columns[index] ?? "";
      cell.data = {
        ...cell.data,
        hProperties: row === head ? { role: "columnheader" } : { role: "cell", ...(label && { dataLabel: label }) },
      };
    });
  }
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

/** Evaluates an expression of a text. Texts are trusted and can access only the brand and its legal facts. */
function evaluate(expression: string): unknown {
  return new Function("brand", "legal", `"use strict"; return (${expression});`)(brand, legal);
}

/** The text's metadata: its `page` export. */
function pageOf(tree: Node, file: File): ContentPage {
  const declared = (tree.children ?? [])
    .flatMap((node) => (node.type === "mdxjsEsm" ? (node.data?.estree?.body ?? []) : []))
    .flatMap((statement) => statement.declaration?.declarations ?? [])
    .find((declaration) => declaration.id.name === "page");
  if (!declared) file.fail("page: the file must begin with `export const page = { title, description, heading, lead }`");
  const page = evaluate(String(file).slice(declared.init.start, declared.init.end)) as Record<string, unknown>;
  for (const name of Object.keys(page))
    if (!(name in lengths)) file.fail(`page.${name}: there is no such field; it has ${Object.keys(lengths).join(", ")}`);
  for (const [name, [least, most]] of Object.entries(lengths)) {
    const value = page[name];
    if (typeof value !== "string") file.fail(`page.${name}: must be a text`);
    if (value.length < least || value.length > most)
      file.fail(`page.${name}: has ${value.length} characters; it must have ${least} to ${most}`);
  }
  return page as unknown as ContentPage;
}

/** Gives a heading its id and adds it to the list. */
function heading(node: Node, file: File, found: Found): void {
  const depth = node.depth ?? 0;
  if (depth !== 2 && depth !== 3)
    file.fail(`heading: ${depth === 1 ? "the page's first heading is page.heading; begin" : "go on"} with ## or ###`, node.position);
  if (depth === 3 && !found.headings.length) file.fail("heading: ### must follow a ##", node.position);
  const text = textOf(node);
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  if (found.headings.some((h) => h.id === id)) file.fail(`heading: "${text}" is there twice`, node.position);
  found.headings.push({ id, text, depth });
  node.data = { ...node.data, hProperties: { id } };
}

function textOf(node: Node): string {
  if (node.children) return node.children.map(textOf).join("");
  return node.type === "mdxTextExpression" ? String(evaluate(node.value ?? "")) : (node.value ?? "");
}

function link(to: string, node: Node, file: File, { patterns }: Surroundings): void {
  if (/^(https:\/\/|mailto:|#)/.test(to)) return;
  const [path = ""] = to.split(/[?#]/);
  if (!leadsSomewhere(patterns, path)) file.fail(`link: there is no page ${to}`, node.position);
}

/** Checks a JSX element. An `a` is rendered like a Markdown link. */
function element(node: Node, file: File, found: Found, around: Surroundings): void {
  if (!components.includes(node.name ?? "") && !elements.includes(node.name ?? "")) {
    file.fail(
      `<${node.name}>: is not known here; texts may use ${[...components, ...elements].map((name) => `<${name}>`).join(" ")}`,
      node.position,
    );
  }
  const value = (name: string) => {
    const written = node.attributes?.find((attribute) => attribute.name === name)?.value;
    return typeof written === "object" && written ? String(evaluate(written.value)) : (written ?? undefined);
  };
  if (node.name === "a") {
    link(value("href") ?? "", node, file, around);
    if (node.data) delete node.data._mdxExplicitJsx;
  }
  if (node.name === "Fact" && !value("name")) file.fail("<Fact>: name is missing", node.position);
  if (node.name === "Picture") picture(node, value("name"), value("alt"), file, found, around);
}

/** Resolves a picture's name to its file and its size. */
function picture(node: Node, name: string | undefined, alt: string | undefined, file: File, found: Found, { art }: Surroundings): void {
  if (!name || !existsSync(join(art, `${name}.svg`)))
    file.fail(`<Picture>: there is no picture "${name}" in the brand's web/art`, node.position);
  if (alt === undefined) file.fail("<Picture>: alt is missing; say what it shows", node.position);
  const [, width, height] =
    /viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"/.exec(readFileSync(join(art, `${name}.svg`), "utf8").slice(0, 1000)) ?? [];
  if (!width || !height) file.fail(`<Picture>: ${name}.svg has no viewBox`, node.position);
  found.pictures.add(name);
  const reference = {
    type: "Program",
    sourceType: "module",
    body: [{ type: "ExpressionStatement", expression: { type: "Identifier", name: importOf(name) } }],
  };
  const plain = (attribute: string, text: string): Attribute => ({ type: "mdxJsxAttribute", name: attribute, value: text });
  node.attributes = [
    {
      type: "mdxJsxAttribute",
      name: "src",
      value: { type: "mdxJsxAttributeValueExpression", value: importOf(name), data: { estree: reference } },
    },
    plain("alt", alt),
    plain("width", width),
    plain("height", height),
  ];
}

const importOf = (name: string) => `_picture_${name.replaceAll("-", "_")}`;
