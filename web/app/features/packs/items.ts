/** What the caps of drop tables count. */

interface Part {
  collection?: string;
  token?: string;
  amount: number;
}

/** The item that a part gives, as caps name it: the new tokens of a collection, or the copies of a token. Undefined for a currency. */
export function itemOf({ collection, token }: Omit<Part, "amount">): string | undefined {
  return token === undefined ? collection : `${collection}/${token}`;
}

/** How many units of an item a drop gives. */
export function unitsOf({ gives }: { gives: Part[] }, item: string): number {
  return gives.reduce((sum, part) => (itemOf(part) === item ? sum + part.amount : sum), 0);
}

export interface Cap {
  item: string;
  most: number;
  /** How many are left; undefined if that is not known. */
  left?: number;
}

/** The caps that count for a drop. */
export function capsOf(drop: { gives: Part[] }, caps: Cap[] | null | undefined): Cap[] {
  return (caps ?? []).filter(({ item }) => unitsOf(drop, item) > 0);
}

/** Whether too little is left for a drop, so that its substitute is given. */
export function hasRunOut(drop: { gives: Part[] }, caps: Cap[] | null | undefined): boolean {
  return (caps ?? []).some(({ item, left = Number.POSITIVE_INFINITY }) => unitsOf(drop, item) > left);
}

/** How many of a capped item are left: "Only 12 of 1,000 left". */
export function leftText({ most, left }: Cap): string {
  const all = most.toLocaleString("en");
  if (left === undefined) return `${all} in all`;
  if (left <= 0) return `None of ${all} left`;
  return `${left * 10 <= most ? "Only " : ""}${left.toLocaleString("en")} of ${all} left`;
}
