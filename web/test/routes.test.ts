import { describe, expect, it } from "vitest";
import routesOfTheSpecification from "../../test/e2e/routes.json";
import routes from "../app/routes";
import { brand, slug } from "../brand";
import { addresses, leadsSomewhere } from "../scripts/addresses";

/** The addresses in the specification, with {slug} for the brand's; the browser journeys use the same list. */
const everyAddress = Object.values(routesOfTheSpecification)
  .flatMap((pages) => Object.keys(pages))
  .map((path) => path.replace("{slug}", slug));

describe("the site", () => {
  const patterns = addresses(routes);

  // Spec: PAGE-1
  it.each(everyAddress)("has a page at %s", (address) => {
    expect(patterns).toContain(address);
  });

  // Spec: PAGE-1, PAGE-8
  it.each([
    ["Profile", () => import("~/routes/portal/my-inventory")],
    ["Profile Settings", () => import("~/routes/portal/edit")],
    ["Activity", () => import("~/routes/portal/activity")],
    ["Achievements", () => import("~/routes/portal/achievements")],
    ["My games", () => import("~/routes/portal/my-games")],
    ["My immortals", () => import("~/routes/portal/my-immortals")],
    ["Power pack", () => import("../brand/pages/portal/power-pack")],
    ["Portal login", () => import("~/routes/auth/portal-login")],
  ])("has the specification's title %s", async (title, page) => {
    expect((await page()).meta()[0]).toEqual({ title: `${title} · ${brand.name}` });
  });

  // Spec: PAGE-7
  it("shows the market without its header and footer", () => {
    const framed = addresses(routes.filter(({ file }) => file === "routes/site.tsx"));
    expect(framed).toContain("/games");
    expect(framed.filter((pattern) => pattern.startsWith("/kod-marketplace"))).toEqual([]);
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
