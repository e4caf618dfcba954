// Every address in the specification, with its page's required title: routes.json, with the brand filled in.
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const brand = read("../../../web/brand/index.ts");
/** The brand in addresses. */
export const slug = /slug = "([^"]+)"/.exec(brand)[1];
const name = /^ {2}name: "([^"]+)"/m.exec(brand)[1];
const ours = (text) => text.replaceAll("{slug}", slug).replaceAll("{name}", name);

/** The full title of a page with the given name. */
export const inFull = (title) => (title === name ? title : `${title} · ${name}`);

const groups = Object.entries(JSON.parse(read("../routes.json"))).map(([group, pages]) => [
  group,
  new Map(Object.entries(pages).map(([path, title]) => [ours(path), inFull(ours(title))])),
]);

/**
 * Address → title. `listed` are the pages for search engines, `unlisted` public pages that search engines leave out,
 * `own` a player's own, `closed` those that are shown only while the market is switched off.
 */
export const { listed, unlisted, own, closed } = Object.fromEntries(groups);
