/** Checks of the pages that React Router has rendered, in React's HTML form: quoted attributes, escaped text. */
import { leadsSomewhere } from "./addresses.ts";

/**
 * The placeholder for the site's own origin in built pages; the server replaces it with the real one. `internal/site`
 * and `app/components/site/page-meta.ts` use it too.
 */
export const originInBuild = "https://site.invalid";

export interface Page {
  /** Its path, such as `/whitepaper`. */
  address: string;
  title: string;
  description: string;
  /** Its number of first-level headings. */
  headings: number;
  /** The targets of its links within the site, with query and fragment. */
  links: string[];
  /** The ids of its elements. */
  ids: Set<string>;
  /** Whether search engines may index it. */
  indexed: boolean;
  /** The path of its share image. */
  image: string | undefined;
}

const text = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((match) => text(match[1] ?? ""));

/** Parses one rendered page. `name` is its file, relative to the build's folder. */
export function readPage(name: string, html: string): Page {
  const body = html.slice(html.indexOf("<body"));
  return {
    address: `/${name.replace(/\/?index\.html$/, "")}`,
    title: all(html, /<title>([^<]*)<\/title>/g)[0] ?? "",
    description: all(html, /<meta name="description" content="([^"]*)"/g)[0] ?? "",
    headings: [...body.matchAll(/<h1[ >]/g)].length,
    links: all(body, /<a [^>]*?\bhref="([/#][^"]*)"/g),
    ids: new Set(all(body, / id="([^"]*)"/g)),
    indexed: !html.includes('<meta name="robots" content="noindex"'),
    image: all(html, /<meta property="og:image" content="([^"]*)"/g)[0]?.slice(originInBuild.length),
  };
}

/** A page without the tags of its share image, if the image does not exist yet. */
export function withoutPicture(html: string): string {
  return html
    .replaceAll(/<meta (property="og|name="twitter):image[^>]*>/g, "")
    .replace('content="summary_large_image"', 'content="summary"');
}

/**
 * The errors of the pages, each with its page. `patterns` are the addresses of the site, `files` the paths of its
 * files; `name` is the site's name, with which titles end.
 */
export function faultsOf(pages: readonly Page[], patterns: readonly string[], files: ReadonlySet<string>, name: string): string[] {
  const faults: string[] = [];
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const twice = (of: (page: Page) => string) => {
    const seen = new Map<string, string>();
    for (const page of pages) {
      const other = seen.get(of(page));
      if (other) faults.push(`${page.address}: has the same title or description as ${other}: "${of(page)}"`);
      seen.set(of(page), page.address);
    }
  };
  twice((page) => page.title);
  twice((page) => page.description);
  for (const page of pages) {
    const fault = (what: string) => faults.push(`${page.address}: ${what}`);
    const title = page.title.replace(` · ${name}`, "");
    if (!title || title.length > 60) fault(`title "${title}" has ${title.length} characters; it must have 1 to 60`);
    if (page.description.length < 70 || page.description.length > 160)
      fault(`description has ${page.description.length} characters; it must have 70 to 160`);
    if (page.headings > 1 || (page.indexed && page.headings === 0)) fault(`has ${page.headings} first headings (h1); it must have one`);
    for (const to of new Set(page.links)) {
      const [path = "", fragment] = to.split("?")[0]?.split("#") ?? [];
      const target = path ? byAddress.get(path) : page;
      if (path && !target && !leadsSomewhere(patterns, path) && !files.has(path)) fault(`links to ${to}, which is no page`);
      if (target && fragment && !target.ids.has(fragment)) fault(`links to ${to}, but that page has no #${fragment}`);
    }
  }
  return faults;
}
