/** What players read while a feature is impaired, by the names of GET /api/status. Those that a page shows itself are not here. */
export const impairedTexts: Record<string, string> = {
  trading: "The game's blockchain does not answer. Buying and selling may not go through until it is back.",
  wallets: "The main blockchain does not answer. Immortals, passes and arks may be out of date until it is back.",
  packs: "Packs take longer to open at the moment.",
  gas: "The portal cannot pay the network fees of new players at the moment.",
  account: "Signing in and currencies may not work at the moment.",
};
