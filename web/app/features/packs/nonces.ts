import { keys, read, write } from "~/lib/storage";

/** How many numbers are kept. */
const most = 20;

/** A number that this browser has chosen for the draws of packs, and the hand-off to the shop that it was sent with. */
interface Kept {
  handOff: string;
  nonce: string;
}

const isKept = (value: unknown): value is Kept => {
  const { handOff, nonce } = (value ?? {}) as Partial<Kept>;
  return typeof handOff === "string" && typeof nonce === "string" && /^0x[0-9a-f]{64}$/.test(nonce);
};

/** What is kept, the newest first. */
function kept(): Kept[] {
  try {
    const list: unknown = JSON.parse(read(keys.nonces) ?? "[]");
    return Array.isArray(list) ? list.filter(isKept).slice(0, most) : [];
  } catch {
    return [];
  }
}

/** A number that nobody can know before the draws that depend on it. */
export const newNonce = () =>
  `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Keeps a number, so that the buyer can compare it with the receipts. */
export function keepNonce(handOff: string, nonce: string): void {
  write(keys.nonces, JSON.stringify([{ handOff, nonce }, ...kept().filter((one) => one.handOff !== handOff)].slice(0, most)));
}

/** The number of a hand-off; undefined if this browser does not have it, or not any more. */
export const nonceOf = (handOff: string): string | undefined => kept().find((one) => one.handOff === handOff)?.nonce;

/** Whether this browser has chosen a number. */
export const choseNonce = (nonce: string): boolean => kept().some((one) => one.nonce === nonce);
