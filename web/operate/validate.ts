/** The rules for what operators enter, the same as the server's. */

/** A passkey's name: 1 to 40 characters. */
export function passkeyNameProblem(value: string): string | undefined {
  const name = value.trim();
  if (!name) return "Give the passkey a name.";
  if ([...name].length > 40) return "Use at most 40 characters.";
}
