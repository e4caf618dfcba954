import { queryOptions } from "@tanstack/react-query";
import { loadConfig } from "./load";

/** The public configuration: chains and contracts. It does not change while the page is open. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: loadConfig,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});
