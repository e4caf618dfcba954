/** How addresses are shown whole and compared by eye. */

const pattern = /^0x[0-9a-fA-F]{40}$/;

/** The rule of a field for an address. The server checks more: upper and lower case, and what could not be got back. */
export function addressProblem(value: string): string | undefined {
  const text = value.trim();
  if (!text) return "Enter the address.";
  if (!text.startsWith("0x")) return "Invalid address. It must begin with 0x.";
  if (!pattern.test(text)) return "Invalid address. After 0x it has 40 characters: digits, and letters from a to f.";
}

/** Consecutive characters of an address, from the position `at` on, that all differ from another address's, or all do not. */
export interface Run {
  at: number;
  text: string;
  differs: boolean;
}

/**
 * The address in groups of four characters, each in runs, compared with the address `against` regardless of upper and lower
 * case; without one nothing differs. The first group is 0x.
 */
export function groupsOf(address: string, against = address): Run[][] {
  const groups: Run[][] = [];
  for (const [at, text] of [...address].entries()) {
    const differs = text.toLowerCase() !== against[at]?.toLowerCase();
    if (at === 0 || at % 4 === 2) groups.push([]);
    const runs = groups.at(-1) ?? [];
    const last = runs.at(-1);
    if (last?.differs === differs) last.text += text;
    else runs.push({ at, text, differs });
  }
  return groups;
}

/** Whether two spellings are one address. */
export const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** How many characters of an address differ from the other address's at the same position. */
export function differences(address: string, other: string): number {
  return groupsOf(address, other)
    .flat()
    .reduce((sum, { text, differs }) => sum + (differs ? text.length : 0), 0);
}

/** Whether people could take one address for the other: both begin and end with the same four characters, but differ. */
export function isLookalike(a: string, b: string): boolean {
  const ends = (text: string) => text.toLowerCase().slice(2, 6) + text.toLowerCase().slice(-4);
  return !isSame(a, b) && ends(a) === ends(b);
}
