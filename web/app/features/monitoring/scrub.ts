/** Removes query and fragment from the URLs in a text: they may contain tokens and wallets. */
const bare = (text: string) => text.replace(/(\bhttps?:\/\/[^\s?#"'<>]*|^\/[^\s?#]*)[?#][^\s"'<>)]*/g, "$1");

/** Removes sensitive data from an event, in place: URLs occur in many of its fields. */
export function scrubAll(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") fields[name] = bare(value);
    else if (typeof value === "object" && value !== null) scrubAll(value as Record<string, unknown>);
  }
}
