/** What players read while a feature is impaired, by the names of GET /api/status. Those that a page shows itself are not here. */
export const impairedTexts: Record<string, string> = {
  trading: "There is a problem with the game's blockchain. Buying and selling may not go through at the moment.",
  wallets: "There is a problem with the main blockchain. Immortals, passes and arks may be out of date at the moment.",
  packs: "Packs take longer to open at the moment.",
  gas: "The portal cannot pay the network fees of new players at the moment.",
  account: "Signing in and currencies may not work at the moment.",
};
