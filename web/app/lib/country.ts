import { roles } from "#brand/roles";

/** The page to which the server redirects requests from forbidden countries. */
export const closedPage = "/unauthorized-country";

/** The pages that are served in every country; the server has the brand's from the build (`brand-pages.json`). */
export const alwaysServed: readonly string[] = [closedPage, roles.deleteAccount, ...roles.legal];

/** Opens the page that says why, if a response says that the country is forbidden (451, RFC 7725). */
export function heedCountry(status: number): void {
  if (status !== 451) return;
  const page = location.pathname.replace(/(.)\/$/, "$1");
  // Without a history entry.
  if (!alwaysServed.includes(page)) location.replace(closedPage);
}
