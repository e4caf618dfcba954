import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type Approval = components["schemas"]["Approval"];

/** Confirms an approval of this session by the emailed code, or by the password where no email is sent. */
export const confirmApproval = (id: string, body: components["schemas"]["ApprovalConfirmation"]) =>
  unwrap(api.POST("/api/auth/approvals/{id}/confirm", { params: { path: { id } }, body }));

/** Emails another code; the one before becomes invalid. */
export const sendApprovalCode = (id: string) => unwrap(api.POST("/api/auth/approvals/{id}/code", { params: { path: { id } } }));
