import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";
import { rules } from "~/lib/rules";

type Schemas = components["schemas"];

const post = (body: object) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Submits an address to notify when the game opens. Throws ApiError with the invalid field. */
export const preRegister = (body: Schemas["PreRegistration"]) => json<Schemas["Success"]>("/api/pre-register", post(body));

/** Sends a support request. Throws ApiError with the invalid fields. */
export const writeToSupport = (body: Schemas["SupportRequest"]) => json<Schemas["Success"]>("/api/support", post(body));

/** The topics of a support request, with the server's name and the label. */
export const topics = [
  { value: "account", label: "My account" },
  { value: "wallet", label: "My wallet" },
  { value: "market", label: "The market" },
  { value: "payment", label: "A payment" },
  { value: "packs", label: "Packs and draws" },
  { value: "webstore", label: "The webstore" },
  { value: "other", label: "Something else" },
];

export function messageProblem(value: string): string | undefined {
  const n = [...value.trim()].length;
  if (n === 0) return "Tell us what happened.";
  if (n < rules.minMessage) return `Write a little more, at least ${rules.minMessage} characters.`;
  if (n > rules.maxMessage) return `This has ${n} characters; a message has at most ${rules.maxMessage}. Shorten it, or send two.`;
}
