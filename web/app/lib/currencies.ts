/** One kind of an ark's cargo. */
export interface Kind {
  /** The currency's code in the API. */
  code: string;
  /** Its plural name. */
  name: string;
  /** Its singular name. */
  one: string;
  /** Its name below the heading of its purse. */
  short: string;
  /** The path of its mark, within 48 × 48 units, to be stroked. */
  mark: string;
}

/** The kinds of followers, by their role aboard. */
export const followerKinds = [
  {
    code: "d0",
    name: "Deckhands",
    one: "Deckhand",
    short: "Deckhands",
    mark: "M24 8v32M24 12a3 3 0 1 0 .1 0M12 28c0 8 6 12 12 12s12-4 12-12M8 32l4-5 5 4M40 32l-4-5-5 4M17 20h14",
  },
  {
    code: "d1",
    name: "Drummers",
    one: "Drummer",
    short: "Drummers",
    mark:
      "M10 18c0-4 6-7 14-7s14 3 14 7-6 7-14 7-14-3-14-7Zm0 0v14c0 4 6 7 14 7s14-3 14-7V18M10 24l7 13 7-12 7 12 " +
      "7-13M30 4l-6 12M40 6 28 16",
  },
  {
    code: "f2",
    name: "Firekeepers",
    one: "Firekeeper",
    short: "Firekeepers",
    mark: "M24 5c2 7 10 10 10 19a10 10 0 0 1-20 0c0-5 3-7 4-11 3 2 4 4 4 6 3-3 4-8 2-14ZM10 34h28l-4 9H14Z",
  },
  {
    code: "f3",
    name: "Farseers",
    one: "Farseer",
    short: "Farseers",
    mark: "M5 27c6-10 12-14 19-14s13 4 19 14c-6 9-12 13-19 13S11 36 5 27Zm19-8a8 8 0 1 0 .1 0M24 24v6M21 27h6M24 3v5M10 7l3 5M38 7l-3 5",
  },
] as const satisfies Kind[];

/** The kinds of tokens, by their stamp. */
export const tokenKinds = [
  {
    code: "gt",
    name: "Gate tokens",
    one: "Gate token",
    short: "Gate",
    mark: "M10 41V22a14 14 0 0 1 28 0v19M6 41h36M17 41V23a7 7 0 0 1 14 0v18M24 8v8M12 16l5 4M36 16l-5 4",
  },
  {
    code: "nt",
    name: "Night tokens",
    one: "Night token",
    short: "Night",
    mark: "M29 7a18 18 0 1 0 12 27A15 15 0 0 1 29 7Zm7 5 1.500 4 4 1.500-4 1.500-1.500 4-1.500-4-4-1.500 4-1.500Z",
  },
  {
    code: "et",
    name: "Ember tokens",
    one: "Ember token",
    short: "Ember",
    mark: "M8 36c4-5 8-7 16-7s12 2 16 7M12 42h24M24 26c-5 0-8-3-8-8 0-6 6-7 6-13 6 3 10 8 10 13 0 5-3 8-8 8Zm0 0c-2-3 0-5 1-8",
  },
  {
    code: "ct",
    name: "Crown tokens",
    one: "Crown token",
    short: "Crown",
    mark: "M8 36 5 15l10 8 9-15 9 15 10-8-3 21ZM8 41h32M24 26l3 4-3 4-3-4Z",
  },
] as const satisfies Kind[];

/** Currencies without a singular, by their codes. */
const uncounted: Record<string, string> = { ig: "InfiniGold", ne: "nectar", fa: "fate" };

/** The name of a currency for a count, by its code; the code itself if unknown. */
export function kindName(code: string, count: number): string {
  const kind = [...followerKinds, ...tokenKinds].find((k) => k.code === code);
  if (!kind) return uncounted[code] ?? `of currency “${code}”`;
  return count === 1 ? kind.one : kind.name;
}
