import { queryOptions } from "@tanstack/react-query";
import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";

/** How often the server is asked what is impaired, in milliseconds. */
export const statusEvery = 30_000;

/** Features of the site that are impaired at the moment. */
export const statusQuery = () =>
  queryOptions({
    queryKey: ["status"],
    queryFn: async ({ signal }) => (await json<components["schemas"]["Status"]>("/api/status", { signal })).impaired,
    refetchInterval: statusEvery,
    staleTime: statusEvery,
    retry: false,
  });
