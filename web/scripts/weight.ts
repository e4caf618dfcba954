/** The JavaScript that pages load before they are interactive, and its budgets. */

/** A built script. */
export interface Script {
  source: string;
  /** What the server sends: gzip with the best compression (zopfli), 3 % smaller than zlib's best. */
  gzip: Uint8Array;
}

/** The maximum initial JavaScript of an area's pages, in bytes after gzip. The first match applies. */
const budgets = [
  { area: /^\/kod-marketplace$/, bytes: 200 * 1024 },
  { area: /^\/(kod-marketplace|portal|shipwright\/account|webstore\/orders)(\/|$)/, bytes: 210 * 1024 },
  { area: /^/, bytes: 115 * 1024 },
];

interface Weight {
  /** After gzip. */
  bytes: number;
  /** The scripts by their paths, largest first. */
  parts: { path: string; bytes: number }[];
}

/** Measures the scripts that a page loads initially: those it names and all their static imports. */
export function weigh(html: string, scripts: Map<string, Script>): Weight {
  const found = new Map<string, number>();
  const queue = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map((match) => match[1] ?? "");
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const script = scripts.get(path);
    if (script === undefined || found.has(path)) continue;
    found.set(path, script.gzip.length);
    for (const match of script.source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g))
      queue.push(`/assets/${match[1]?.slice(2)}`);
  }
  const parts = [...found].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => b.bytes - a.bytes);
  return { bytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
}

/** The errors about a page's size: over its budget, or 0, which cannot be right. */
export function overBudget(page: string, { bytes, parts }: Weight): string[] {
  if (parts.length === 0) return [`${page}: no scripts were found; see weigh`];
  const budget = budgets.find((b) => b.area.test(page));
  if (!budget || bytes <= budget.bytes) return [];
  const heaviest = parts.slice(0, 6).map((part) => `${part.path} ${part.bytes}`);
  return [`${page}: ${bytes} bytes of scripts after gzip, more than ${budget.bytes}: ${heaviest.join(", ")}`];
}
