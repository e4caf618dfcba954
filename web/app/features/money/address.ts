/** How addresses are shown whole and compared by eye. */

const pattern = /^0x[0-9a-fA-F]{40}$/;

/** The rule of a field for an address. The server checks more: upper and lower case, and what could not be got back. */
export function addressProblem(value: string): string | undefined {
  const text = value.trim();
  if (!text) return "Enter the address.";
  if (!text.startsWith("0x")) return "An address begins with 0x.";
  if (!pattern.test(text)) return "After 0x an address has 40 characters: digits, and letters from a to f.";
}

/** The address in groups of four characters; the first one is 0x. */
export function groupsOf(address: string): string[] {
  return [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])];
}

/** Whether two spellings are one address. */
export const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** For each group of an address, the characters that differ from the other address's at the same place. */
export function differencesOf(address: string, other: string): boolean[][] {
  const others = groupsOf(other);
  return groupsOf(address).map((group, i) => [...group].map((c, j) => c.toLowerCase() !== others[i]?.[j]?.toLowerCase()));
}

/** Whether people could take one address for the other: both begin and end with the same four characters, but differ. */
export function isLookalike(a: string, b: string): boolean {
  const ends = (text: string) => text.toLowerCase().slice(2, 6) + text.toLowerCase().slice(-4);
  return !isSame(a, b) && ends(a) === ends(b);
}
