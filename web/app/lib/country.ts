/** The page to which the server redirects requests from forbidden countries. */
export const closedPage = "/unauthorized-country";

/** The pages that are served in every country; the server's list is in `internal/portal/country/pages.go`. */
export const alwaysServed: readonly string[] = [
  closedPage,
  "/privacy-policy",
  "/cookie-policy",
  "/terms-of-use",
  "/king-of-destiny/terms-and-conditions",
  "/king-of-destiny/support/deleteaccount",
];

/** Opens the page that says why, if a response says that the country is forbidden (451, RFC 7725). */
export function heedCountry(status: number): void {
  if (status !== 451) return;
  const page = location.pathname.replace(/(.)\/$/, "$1");
  // Without a history entry.
  if (!alwaysServed.includes(page)) location.replace(closedPage);
}
