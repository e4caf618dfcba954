/** What pages load as JavaScript before they are interactive, and how much they may. */

/** A built script. */
export interface Script {
  source: string;
  /** What the server sends: gzip, packed as tightly as the format allows (zopfli), 3 % less than zlib's best. */
  gzip: Uint8Array;
}

/** The most a page of an area may load at once, in bytes after gzip. The first area that fits counts. */
const budgets = [
  { area: /^\/(kod-marketplace|portal|shipwright\/account)(\/|$)/, bytes: 260 * 1024 },
  { area: /^/, bytes: 115 * 1024 },
];

interface Weight {
  /** After gzip. */
  bytes: number;
  /** The scripts by their paths, the heaviest first. */
  parts: { path: string; bytes: number }[];
}

/** Weighs what a page loads at once: the scripts it names and all that these import statically. */
export function weigh(html: string, scripts: Map<string, Script>): Weight {
  const found = new Map<string, number>();
  const queue = [...html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map((match) => match[1] ?? "");
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const script = scripts.get(path);
    if (script === undefined || found.has(path)) continue;
    found.set(path, script.gzip.length);
    for (const match of script.source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g)) queue.push(`/assets/${match[1]?.slice(2)}`);
  }
  const parts = [...found].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => b.bytes - a.bytes);
  return { bytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
}

/** What is wrong with the weight of the page at an address: more than its budget, or none, which no page of ours has. */
export function overBudget(page: string, { bytes, parts }: Weight): string[] {
  if (parts.length === 0) return [`${page}: no scripts were found; see weigh`];
  const budget = budgets.find((b) => b.area.test(page));
  if (!budget || bytes <= budget.bytes) return [];
  const heaviest = parts.slice(0, 6).map((part) => `${part.path} ${part.bytes}`);
  return [`${page}: ${bytes} bytes of scripts after gzip, more than ${budget.bytes}: ${heaviest.join(", ")}`];
}
