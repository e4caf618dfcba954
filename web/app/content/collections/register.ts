/** All collections as their overview lists them, in the catalogue's order (a test compares the two). */
export interface Entry {
  name: string;
  standard: "ERC-721" | "ERC-1155";
  /** Where the contract is. */
  chain: "Game chain" | "Main chain";
  /** Whether our market lists its tokens, or why not. */
  market: "Yes" | "No" | "No, bound to the wallet";
}

export const register: readonly Entry[] = [
  { name: "King of Destiny Items", standard: "ERC-1155", chain: "Game chain", market: "Yes" },
  { name: "KOD Avatars", standard: "ERC-721", chain: "Game chain", market: "Yes" },
  { name: "Season Avatars", standard: "ERC-721", chain: "Game chain", market: "No, bound to the wallet" },
  { name: "Piggy Banks", standard: "ERC-1155", chain: "Game chain", market: "Yes" },
  { name: "Keepsake Piggy Banks", standard: "ERC-1155", chain: "Game chain", market: "No, bound to the wallet" },
  { name: "The Elder Gods", standard: "ERC-721", chain: "Game chain", market: "Yes" },
  { name: "KOD Packs", standard: "ERC-1155", chain: "Game chain", market: "Yes" },
  { name: "Immortals", standard: "ERC-721", chain: "Main chain", market: "No" },
  { name: "Community InfiniPass", standard: "ERC-721", chain: "Main chain", market: "No" },
  { name: "Ultimate InfiniPass", standard: "ERC-721", chain: "Main chain", market: "No" },
  { name: "Arks", standard: "ERC-1155", chain: "Main chain", market: "No" },
  { name: "Power Packs", standard: "ERC-1155", chain: "Main chain", market: "No" },
];
