import { expect, it } from "vitest";
import { keys } from "./storage";

// Renaming a key loses what browsers have stored: everybody is signed out.
it("the browser keeps values under these names", () => {
  expect(keys).toEqual({
    token: "pantheon.token",
    sessionAuthorization: "pantheon.session",
    walletToken: "pantheon.wallet-token",
    walletAddress: "pantheon.wallet-address",
    embeddedEnabled: "pantheon.embedded-enabled",
    flags: "pantheon.flags",
    market: "pantheon.market",
    place: "pantheon.place",
    viewed: "pantheon.viewed",
    marketing: "pantheon.marketing",
    marketplaceTheme: "kod-theme-enabled",
    attempt: "pantheon.attempt",
    frozen: "pantheon.frozen",
    ended: "pantheon.ended",
    order: "pantheon.order",
    choice: "pantheon.choice",
    burns: "pantheon.burns",
    deal: "pantheon.deal",
  });
});
