import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { ApiError } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { createStore } from "~/lib/store";

/** Whether the player may buy packs: when they confirmed being 18 or older, and why none are sold in their country. */
export const buyerQuery = queryOptions({
  queryKey: ["packBuyer"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/packs/buyer", { signal })),
});

/** The question for the player's age while it is asked, with what goes on once it is confirmed, and what follows if it is not. */
export const ageQuestion = createStore<{ proceed: (() => void) | null; declined: () => void }>({ proceed: null, declined: () => {} });

/** Asks the player to confirm their age, if that is why the server refused something. */
export function asksForAge({ reason }: ApiError, proceed: () => void, declined = () => {}): boolean {
  if (reason !== "age-unconfirmed") return false;
  ageQuestion.set({ proceed, declined });
  return true;
}

/** Confirms that the player is 18 or older. The server keeps when. */
export async function confirmAge(): Promise<void> {
  queryClient.setQueryData(buyerQuery.queryKey, await unwrap(api.POST("/api/auth/packs/confirm-age")));
}
