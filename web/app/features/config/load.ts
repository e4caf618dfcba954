import { json } from "~/lib/api/json";
import { type ClientConfig, faultsOf } from "./schema";

/** The server lets the client know something the site cannot work with. Only whoever runs the server can mend it. */
export class InvalidConfig extends Error {
  override name = "InvalidConfig";
  constructor(
    /** The names of what is wrong, such as "gameChain.id". */
    readonly faults: string[],
  ) {
    super(`Invalid environment variables: ${faults.join(", ")}`);
  }
}

/** Checks what the server says the client may know, before anything is built on it. A wrong address could send money to nobody. */
export function validConfig(config: unknown): ClientConfig {
  const faults = faultsOf(config);
  if (faults.length) throw new InvalidConfig(faults);
  return config as ClientConfig;
}

let known: Promise<ClientConfig> | undefined;

/**
 * What the server lets the client know, asked for once. Throws InvalidConfig, or what a call throws that has no answer;
 * then it is asked for again the next time.
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

/** Forgets what is known, for tests. */
export function forgetConfig(): void {
  known = undefined;
}
