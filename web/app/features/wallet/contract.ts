import { isAddress } from "~/lib/address";
import { WalletError } from "./errors";

/** A contract that cannot be used, because its client, address or chain id is missing or invalid. */
export class InvalidContract extends WalletError {
  override name = "InvalidContract";
  constructor(readonly part: "client" | "address" | "chain id") {
    super(`Invalid ${part}`);
  }
}

/** What a contract is read through. */
interface Client {
  request: unknown;
}

/** A contract on a chain. */
export interface Contract<C extends Client> {
  client: C;
  address: `0x${string}`;
  chainId: number;
}

/** Returns a contract that can be used: throws InvalidContract unless it has a client, an address and a chain id. */
export function walletContract<C extends Client>({
  client,
  address,
  chainId,
}: {
  client: C | undefined;
  address: unknown;
  chainId: unknown;
}): Contract<C> {
  if (typeof client?.request !== "function") throw new InvalidContract("client");
  if (!isAddress(address)) throw new InvalidContract("address");
  if (!Number.isSafeInteger(chainId) || Number(chainId) <= 0) throw new InvalidContract("chain id");
  return { client, address, chainId: Number(chainId) };
}
