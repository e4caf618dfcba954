import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex } from "@noble/hashes/utils";

const form = /^0x[0-9a-fA-F]{40}$/;

/** The spelling of a lower-case address with its checksum (EIP-55). */
function withChecksum(address: string): string {
  const hash = bytesToHex(keccak_256(address.slice(2)));
  return `0x${[...address.slice(2)].map((c, i) => (Number.parseInt(hash.charAt(i), 16) >= 8 ? c.toUpperCase() : c)).join("")}`;
}

/** Whether a value is an address: 0x and 40 hexadecimal digits, in lower case or with the right checksum (EIP-55). */
export function isAddress(value: unknown): value is `0x${string}` {
  if (typeof value !== "string" || !form.test(value)) return false;
  const lower = value.toLowerCase();
  return value === lower || value === withChecksum(lower);
}
