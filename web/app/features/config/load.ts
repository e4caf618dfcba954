import { json } from "~/lib/api/json";
import type { ClientConfig } from "./schema";

/** The server's public configuration is invalid. Only the operator can fix it. */
export class InvalidConfig extends Error {
  override name = "InvalidConfig";
  constructor(
    /** The invalid fields, such as "gameChain.id". */
    readonly faults: string[],
  ) {
    super(`Invalid environment variables: ${faults.join(", ")}`);
  }
}

/**
 * Validates the public configuration before it is used. A wrong address could lose money. Throws InvalidConfig. The
 * rules are loaded on demand: pages begin without the hash function for the addresses' checksums.
 */
export async function validConfig(config: unknown): Promise<ClientConfig> {
  const { faultsOf } = await import("./schema");
  const faults = faultsOf(config);
  if (faults.length) throw new InvalidConfig(faults);
  return config as ClientConfig;
}

let known: Promise<ClientConfig> | undefined;

/**
 * The public configuration, fetched once. Throws InvalidConfig, or the error of a failed call; then the next call
 * fetches again.
 */
export function loadConfig(): Promise<ClientConfig> {
  known ??= json("/api/config")
    .then(validConfig)
    .catch((error: unknown) => {
      known = undefined;
      throw error;
    });
  return known;
}

/** Clears the cached configuration, for tests. */
export function forgetConfig(): void {
  known = undefined;
}
