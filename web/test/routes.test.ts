import { describe, expect, it } from "vitest";
import routes from "../app/routes";
import { slug } from "../brand";
import { addresses, leadsSomewhere } from "../scripts/addresses";

const everyAddress = `
/ /404 /infinimerge /${slug}-universe /immortal-siege /mount-olympus /mount-olympus/leaderboard /olympus-journey /whitepaper /login /register
/auth/callback/twitter /forgot-password /reset-password /new-password /shipwright /privacy-policy /cookie-policy /terms-of-use /games /nfts
/our-team /king-of-destiny /king-of-destiny/pre-register /king-of-destiny/support /king-of-destiny/support/deleteaccount
/king-of-destiny/terms-and-conditions /infinipass /elder-gods /kod-marketplace/timeout /kod-marketplace/create-smart-wallet /unauthorized-country
/api-doc /kod-leaderboard /vault/claim /webstore /kod-marketplace /kod-marketplace/marketplace/checkout /kod-marketplace/maintenance
/portal/my-inventory /portal/edit /portal/edit/activity /portal/edit/achievements /portal/my-games /portal/my-immortals /portal/power-pack
/portal/login /getuserinfo /shipwright/account/followers /shipwright/account/arks /shipwright/account/tokens
/whitepaper/introduction-to-${slug} /whitepaper/the-${slug}-philosophy /whitepaper/community-merge /whitepaper/infinimerge
/whitepaper/future-games /whitepaper/the-infinipass /whitepaper/gen-0-the-elder-gods /whitepaper/the-shipwright
/whitepaper/erc-4907-rental-system`
  .trim()
  .split(/\s+/);

describe("the site", () => {
  const patterns = addresses(routes);

  it.each(everyAddress.filter((address) => address !== "/404"))("has a page at %s", (address) => {
    expect(patterns).toContain(address);
  });

  it("has one page at an address", () => {
    expect(patterns.filter((pattern, i) => patterns.indexOf(pattern) !== i)).toEqual([]);
  });

  it.each([
    ["/games", true],
    ["/kod-marketplace/marketplace/item/0xa/1", true],
    ["/kod-marketplace/marketplace/item/0xa/", false],
    ["/kod-marketplace/marketplace/item/0xa", false],
    ["/nowhere", false],
  ])("knows whether %s leads somewhere: %s", (path, leads) => {
    expect(leadsSomewhere(patterns, path)).toBe(leads);
  });
});
