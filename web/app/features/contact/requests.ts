import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";

type Schemas = components["schemas"];

const post = (body: object) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Leaves an address for the day King of Destiny opens. Throws ApiError with the field that is wrong. */
export const preRegister = (body: Schemas["PreRegistration"]) => json<Schemas["Success"]>("/api/pre-register", post(body));

/** Writes to the support. Throws ApiError with the fields that are wrong. */
export const writeToSupport = (body: Schemas["SupportRequest"]) => json<Schemas["Success"]>("/api/support", post(body));

/** What a support request may be about, as the server knows it and as people read it. */
export const topics = [
  { value: "account", label: "My account" },
  { value: "wallet", label: "My wallet" },
  { value: "market", label: "The market" },
  { value: "payment", label: "A payment" },
  { value: "packs", label: "Packs and draws" },
  { value: "webstore", label: "The webstore" },
  { value: "other", label: "Something else" },
];

/** Fewest and most characters of a message. */
export const shortest = 10;
export const longest = 4000;

export function messageProblem(value: string): string | undefined {
  const n = [...value.trim()].length;
  if (n === 0) return "Tell us what happened.";
  if (n < shortest) return `Write a little more, at least ${shortest} characters.`;
  if (n > longest) return `This has ${n} characters; a letter has at most ${longest}. Shorten it, or send two.`;
}
