import { describe, expect, it } from "vitest";
import routesOfTheSpecification from "../../test/e2e/routes.json";
import routes from "../app/routes";
import { slug } from "../brand";
import { addresses, leadsSomewhere } from "../scripts/addresses";

/** What the specification names; the browser journeys walk the same list. */
const everyAddress = Object.values(routesOfTheSpecification).flatMap((pages) => Object.keys(pages).map((path) => path.replace("{slug}", slug)));

describe("the site", () => {
  const patterns = addresses(routes);

  it.each(everyAddress)("has a page at %s", (address) => {
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
