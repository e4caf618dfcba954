/**
 * Tells the monitoring of something that went wrong and was dealt with. Until a monitoring is attached it goes to the
 * browser's console. Never pass secrets: tokens, passwords, signatures.
 */
export function report(what: string, error?: unknown): void {
  console.warn(what, error instanceof Error ? error.message : (error ?? ""));
}
