import { queryOptions } from "@tanstack/react-query";
import { loadConfig } from "./load";

/** What the server lets the client know: chains and contracts. It does not change while the page lives. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: loadConfig,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});
