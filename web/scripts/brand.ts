/**
 * The requirements on a brand. They are checked before anything is built, so that an error is located instead of
 * breaking a page.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brand, slug } from "../brand/index.ts";
import { legal } from "../brand/legal.ts";

/** The brand's folder. */
const folder = process.env.BRAND || "brands/pantheon";
/** The networks of the footer. */
const networks = ["chat", "posts", "professional", "photos", "social", "nft"];
/** The colours that pages use, without the six of the rarities. */
const colours =
  "night night-1 night-2 night-3 bone bone-muted line line-strong bronze bronze-dim ember ember-bright ember-ink good bad".split(" ");
const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];
const colour = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(oklch|oklab|lch|lab|rgb|hsl|hwb|color)\([^()]+\))$/i;

/** Throws with everything that is wrong with the brand in `web/brand`, a copy of the brand's folder `web`. */
export async function checkBrand(): Promise<void> {
  const theme = readFileSync(join(import.meta.dirname, "../brand/theme.css"), "utf8");
  const faults = [...faultsOfIndex(slug, brand), ...faultsOfLegal(legal), ...faultsOfTheme(theme)];
  // The cards import names and links from the brand, so they are loaded last. If one of their images is missing, loading
  // fails; the build says which.
  const cards = faults.length ? undefined : await import("../brand/featured.ts").catch(unlessAPictureIsMissing);
  if (cards) faults.push(...faultsOfFeatured(cards.featured));
  if (faults.length) throw new Error(`The brand breaks its rules:\n  ${faults.join("\n  ")}`);
}

function unlessAPictureIsMissing(error: unknown): undefined {
  if (!/\.(svg|avif|webp|png|jpe?g)\b/.test(String(error))) throw error;
}

/** The errors in the `slug` and the `brand` of `index.ts`, each with its field. */
export function faultsOfIndex(slug: unknown, brand: unknown): string[] {
  const { faults, fault, text, link } = look("index.ts");
  const { name, description, themeColour, social, ...rest } = fields(brand);
  if (typeof slug !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    fault("slug", `${JSON.stringify(slug)} must be small letters and digits, with single hyphens between them`);
  }
  text("brand.name", name, 30);
  if (rest.slug !== slug) fault("brand.slug", "must be the exported slug");
  text("brand.description", description, 160, 70);
  if (typeof themeColour !== "string" || !/^#[\da-f]{6}$/i.test(themeColour)) {
    fault("brand.themeColour", `${JSON.stringify(themeColour)} must be a colour such as #0a1112`);
  }
  for (const network of networks) link(`brand.social.${network}`, fields(social)[network]);
  for (const network of Object.keys(fields(social))) {
    if (!networks.includes(network)) fault(`brand.social.${network}`, `is not one of the six networks, which are ${networks.join(", ")}`);
  }
  return faults;
}

/** The errors in the `legal` of `legal.ts`. */
export function faultsOfLegal(legal: unknown): string[] {
  const { faults, fault, text } = look("legal.ts");
  const { email, minimumAge, ...told } = fields(legal);
  for (const field of ["operator", "address", "jurisdiction", "effectiveDate", "blockedCountries"])
    text(`legal.${field}`, told[field], 1000);
  if (typeof email !== "string" || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)) {
    fault("legal.email", `${JSON.stringify(email)} must be an address for mail`);
  }
  if (!Number.isInteger(minimumAge) || Number(minimumAge) < 1 || Number(minimumAge) > 99)
    fault("legal.minimumAge", "must be a number of years");
  return faults;
}

/** The errors in the cards of `featured.ts`. */
export function faultsOfFeatured(featured: unknown): string[] {
  const { faults, fault, text, address } = look("featured.ts");
  for (const field of ["caption", "heading", "lead", "gamesHeading", "collectionsText"]) text(field, fields(featured)[field], 200);
  for (const group of ["games", "collections"]) {
    const value = fields(featured)[group];
    const cards: unknown[] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value) || cards.length > 3) fault(group, "must be at most three cards");
    const addresses = cards.map((card) => fields(card).to);
    for (const [index, card] of cards.entries()) {
      const { title, text: sentence, to, picture } = fields(card);
      text(`${group}[${index}].title`, title, 30);
      text(`${group}[${index}].text`, sentence, 160);
      if (typeof to !== "string" || !/^\/(?!\/)/.test(to)) address(`${group}[${index}].to`, to);
      if (addresses.indexOf(to) < index) fault(`${group}[${index}].to`, "leads where another card leads");
      if (typeof picture !== "string" || !picture) fault(`${group}[${index}].picture`, "must be a picture that is imported");
    }
  }
  return faults;
}

/** The errors in the style sheet `theme.css`. */
export function faultsOfTheme(css: string): string[] {
  const { faults, fault } = look("theme.css");
  const tokens = new Map([...css.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, token = "", value = ""]) => [token, value.trim()]));
  for (const token of [...colours, ...rarities.map((rarity) => `rarity-${rarity}`)]) {
    const value = tokens.get(`color-${token}`);
    if (value === undefined) fault(`--color-${token}`, "is missing");
    else if (!colour.test(value))
      fault(`--color-${token}`, `${JSON.stringify(value)} must be a colour such as #0a1112 or oklch(0.7 0.195 42)`);
  }
  for (const token of ["font-display", "font-text"]) if (!tokens.has(token)) fault(`--${token}`, "is missing");
  return faults;
}

/** Collects the errors of a file. */
function look(file: string) {
  const faults: string[] = [];
  const fault = (field: string, what: string) => {
    faults.push(`${folder}/web/${file}: ${field}: ${what}`);
  };
  const text = (field: string, value: unknown, most: number, least = 1) => {
    if (typeof value !== "string" || value.trim() === "") fault(field, "must be a text");
    else if (value !== value.trim() || value.includes("\n")) fault(field, "must be one line without spaces around it");
    else if (value.length < least || value.length > most) fault(field, `has ${value.length} characters; it must have ${least} to ${most}`);
  };
  const address = (field: string, value: unknown) => {
    const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol !== "https:" || url.username || !/^[^.].*\.[a-z][^.]*$/i.test(url.hostname)) {
      fault(field, `${JSON.stringify(value)} must be an address such as https://www.example.org/page`);
    }
  };
  const link = (field: string, value: unknown) => {
    text(`${field}.label`, fields(value).label, 30);
    address(`${field}.href`, fields(value).href);
  };
  return { faults, fault, text, address, link };
}

/** The fields of what should be an object; none if it is not. */
const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
