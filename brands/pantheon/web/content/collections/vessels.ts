/**
 * Arks and power packs as the site shows them, in the order of their token ids: what is on the chain is named in
 * `brands/pantheon/catalogue.yaml`, and a test compares them.
 */
export const arks = [
  { tokenId: "1", name: "Cedar Ark", rarity: "uncommon", text: "Pitch, rope and forty oars. Everyone aboard knows a different song." },
  { tokenId: "2", name: "Bronze-Prow Ark", rarity: "rare", text: "The ram goes first and asks no questions." },
  { tokenId: "3", name: "Storm Ark", rarity: "epic", text: "Launched only in bad weather, and never yet late." },
  { tokenId: "4", name: "Sun Ark", rarity: "legendary", text: "It sails the sky by day and the river under the world by night." },
] as const;

/** Named without the words "Power Pack", which their tokens' names end in. */
export const powerPacks = [
  { tokenId: "1", name: "Spark", rarity: "uncommon", text: "One good spark under a wax seal." },
  { tokenId: "2", name: "Surge", rarity: "rare", text: "Three bolts, tightly coiled. Keep it away from weathervanes." },
  { tokenId: "3", name: "Tempest", rarity: "legendary", text: "A whole storm, folded twice." },
] as const;
