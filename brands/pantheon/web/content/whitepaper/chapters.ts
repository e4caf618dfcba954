import { brand, slug } from "../../../brand/index.ts";

/** The whitepaper's chapters in their order: address below /whitepaper, file beside this one, name in lists. */
export const chapters = [
  { path: `introduction-to-${slug}`, file: "introduction", label: `Introduction to ${brand.name}` },
  { path: `the-${slug}-philosophy`, file: "philosophy", label: `The ${brand.name} philosophy` },
  { path: "community-merge", file: "community-merge", label: "Community merge" },
  { path: "infinimerge", file: "infinimerge", label: "InfiniMerge" },
  { path: "future-games", file: "future-games", label: "Future games" },
  { path: "the-infinipass", file: "the-infinipass", label: "The InfiniPass" },
  { path: "gen-0-the-elder-gods", file: "gen-0-the-elder-gods", label: "Gen 0: the Elder Gods" },
  { path: "the-shipwright", file: "the-shipwright", label: "The Shipwright" },
  { path: "erc-4907-rental-system", file: "erc-4907-rental-system", label: "ERC-4907 rental system" },
] as const;
