import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type SecurityEvent = components["schemas"]["SecurityEvent"];

/** What concerned the security of the player's account, page by page, newest first. */
export const securityQuery = infiniteQueryOptions({
  queryKey: ["account", "security"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/security-events", { params: { query: { limit: 10, ...(pageParam && { cursor: pageParam }) } }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

const texts: Record<string, string> = {
  "account.created": "Account created",
  "account.renamed": "Name changed",
  "account.self-frozen": "Account frozen by a link “This was not me”",
  "account.thawed": "Account unfrozen with a new password",
  "deletion.requested": "Deletion of the account requested",
  "deletion.cancelled": "Deletion of the account cancelled",
  "session.opened": "Signed in",
  "session.ended": "Signed out",
  "sessions.ended": "Sessions ended",
  "password.refused": "Wrong password",
  "password.changed": "Password changed",
  "recovery.requested": "Link for a new password requested",
  "email.confirmed": "Email address confirmed",
  "email.changed": "Email address changed",
  "wallet.created": "Wallet created",
  "wallet.connected": "Wallet connected",
  "wallet.disconnected": "Wallet disconnected",
  "passkey.added": "Passkey added",
  "passkey.renamed": "Passkey renamed",
  "passkey.removed": "Passkey removed",
  "passkey.used": "Passkey used",
  "passkey.refused": "Passkey refused",
  "approval.requested": "Approval requested",
  "approval.tried": "Code entered",
  "approval.confirmed": "Approved",
  "approval.used": "Approval used",
  "operation.signed": "Your wallet signed",
  "operation.cancelled": "We cancelled what was signed in an ended session",
  "message.signed": "Your wallet signed in here",
  "address.saved": "Address saved",
  "address.forgotten": "Address removed",
  "withdrawal.requested": "Withdrawal requested",
  "support.act": "Support did something with your account",
};

/** What an event was, in words. Events that this version does not know are named as they are. */
export function eventText({ event, by }: Pick<SecurityEvent, "event" | "by">): string {
  if (event === "password.refused" && by === "visitor") return "Sign-in with a wrong password";
  const [noun, verb] = event.split(".");
  return texts[event] ?? (noun === "withdrawal" ? `Withdrawal ${verb}` : event.replaceAll(/[._-]/g, " "));
}
