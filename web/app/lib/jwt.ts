/** Decodes the claims of a JWT (RFC 7519) without verifying it: the server does that. Null if it is not a JWT. */
export function claims(token: string): Record<string, unknown> | null {
  try {
    const payload = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Whether a token's `exp` (seconds) is before now (milliseconds). A malformed token counts as expired. */
export function expired(token: string, now: number): boolean {
  const exp = claims(token)?.exp;
  return typeof exp !== "number" || exp * 1000 < now;
}
