import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";

export type Approval = components["schemas"]["Approval"];

/** Confirms an approval of this session by a passkey, by the emailed code, or by the password where no email is sent. */
export const confirmApproval = (id: string, body: components["schemas"]["ApprovalConfirmation"]) =>
  unwrap(api.POST("/api/auth/approvals/{id}/confirm", { params: { path: { id } }, body }));

/** Emails another code; the one before becomes invalid. */
export const sendApprovalCode = (id: string) => unwrap(api.POST("/api/auth/approvals/{id}/code", { params: { path: { id } } }));

/** The approval that a refused call needs, or undefined if it was refused for another reason. */
export function neededApproval(error: unknown): Approval | undefined {
  if (!(error instanceof ApiError) || error.reason !== "approval-needed") return undefined;
  const { approvalId, kind, way, sentTo, expiresAt } = error.details;
  if (!approvalId || !way || !expiresAt) return undefined;
  return { approvalId, kind: kind as Approval["kind"], way: way as Approval["way"], expiresAt, ...(sentTo ? { sentTo } : {}) };
}
