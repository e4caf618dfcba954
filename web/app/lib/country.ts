/** Where the server leads whoever may not be served. */
export const closedPage = "/unauthorized-country";

/** The pages everybody may read, wherever they are; the server's list is in `internal/api/country.go`. */
export const alwaysServed: readonly string[] = [
  closedPage,
  "/privacy-policy",
  "/cookie-policy",
  "/terms-of-use",
  "/king-of-destiny/terms-and-conditions",
  "/king-of-destiny/support/deleteaccount",
];

/** Leaves for the page that says why, when an answer says that the law does not let us serve here (451, RFC 7725). */
export function heedCountry(status: number): void {
  if (status !== 451) return;
  const page = location.pathname.replace(/(.)\/$/, "$1");
  // Not a step that "back" would repeat.
  if (!alwaysServed.includes(page)) location.replace(closedPage);
}
