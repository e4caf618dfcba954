import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type ClientConfig = components["schemas"]["ClientConfig"];

const environments = ["dev", "stage", "test", "prod"];
const isAddress = (value: unknown) => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);

/**
 * Checks what the server says the client may know, before anything is built on it. A wrong address here could send money
 * to nobody.
 */
export function validConfig(config: ClientConfig): ClientConfig {
  const { environment, gameChain, currency } = config;
  const wrong = [
    !environments.includes(environment) && "environment",
    !(Number.isSafeInteger(gameChain?.id) && gameChain.id > 0) && "gameChain.id",
    !(gameChain?.pollInterval > 0) && "gameChain.pollInterval",
    !isAddress(gameChain?.entryPoint) && "gameChain.entryPoint",
    !isAddress(gameChain?.accountFactory) && "gameChain.accountFactory",
    !isAddress(currency?.address) && "currency.address",
    !(Number.isInteger(currency?.decimals) && currency.decimals >= 0) && "currency.decimals",
  ].filter(Boolean);
  if (wrong.length) throw new Error(`Invalid environment variables: ${wrong.join(", ")}`);
  return config;
}

/** What the server lets the client know: chains and contracts. It does not change while the page lives. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: async () => validConfig(await unwrap(api.GET("/api/config"))),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});
