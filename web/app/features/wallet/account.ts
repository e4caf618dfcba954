import { type Address, type Chain, concat, createClient, custom, encodeFunctionData, type Hex, pad, parseAbi } from "viem";
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint07Abi,
  formatUserOperationRequest,
  type SmartAccount,
  type SmartAccountImplementation,
  toSmartAccount,
} from "viem/account-abstraction";
import { readContract } from "viem/actions";
import type { ClientConfig } from "~/features/config/config";
import { api, unwrap } from "~/lib/api/client";
import { createRpc } from "~/lib/rpc";
import { keys, read } from "~/lib/storage";
import { signerAuthorization } from "./embedded";

/** Which of an owner's accounts is meant; everybody has the first. */
const accountIndex = 0;

/** A signature of the right form, for estimating gas before the operation is signed. */
const stubSignature = `0x${"f".repeat(30)}${"0".repeat(34)}7${"a".repeat(63)}1c` as const;

const factoryAbi = parseAbi([
  "function createAccount(bytes32 ownSalt) payable returns (address)",
  "function getAddress(bytes32 ownSalt) view returns (address)",
]);

const accountAbi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function execute(address target, uint256 value, bytes data) payable returns (bytes)",
  "function executeBatch(Call[] calls) payable returns (bytes[])",
]);

/** The factory's salt: the owner in the upper 160 bits, the account's index in the lower 96. */
export function accountSalt(owner: Address, index = accountIndex): Hex {
  return concat([owner, pad(`0x${index.toString(16)}`, { size: 12 })]);
}

function chainOf(config: ClientConfig): Chain {
  const { id, name } = config.gameChain;
  return { id, name, nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [] } } };
}

function authorization(): Record<string, string> {
  return { Authorization: read(keys.token) ?? "" };
}

function transport(path: "rpc" | "bundler" | "paymaster", chainId: number) {
  return custom(createRpc({ url: `/api/proxy/${path}/${chainId}`, headers: authorization, ...(path === "rpc" ? {} : { maxBatchSize: 1 }) }), { retryCount: 0 });
}

type Implementation = SmartAccountImplementation<typeof entryPoint07Abi, "0.7">;

/**
 * The player's smart account: our subclass of Solady's ERC-4337 account, owned by the embedded wallet, whose key the
 * server keeps. The signer is handed whole operations, messages and typed data, so that it can judge what it signs.
 */
async function smartAccount(config: ClientConfig, owner: Address): Promise<SmartAccount<Implementation>> {
  const client = createClient({ chain: chainOf(config), transport: transport("rpc", config.gameChain.id) });
  const factory = config.gameChain.accountFactory as Address;
  const entryPoint = config.gameChain.entryPoint as Address;
  const salt = accountSalt(owner);
  const getAddress = () => readContract(client, { address: factory, abi: factoryAbi, functionName: "getAddress", args: [salt] });

  return toSmartAccount({
    client,
    entryPoint: { abi: entryPoint07Abi, address: entryPoint, version: "0.7" },
    getAddress,
    async getFactoryArgs() {
      return { factory, factoryData: encodeFunctionData({ abi: factoryAbi, functionName: "createAccount", args: [salt] }) };
    },
    // One sequence for all operations: a new key would be a new storage slot on chain each time.
    async getNonce() {
      return readContract(client, { address: entryPoint, abi: entryPoint07Abi, functionName: "getNonce", args: [await getAddress(), 0n] });
    },
    async encodeCalls(calls) {
      const batch = calls.map(({ to, value = 0n, data = "0x" }) => ({ target: to, value, data }));
      const [only] = batch;
      if (only && batch.length === 1) return encodeFunctionData({ abi: accountAbi, functionName: "execute", args: [only.target, only.value, only.data] });
      return encodeFunctionData({ abi: accountAbi, functionName: "executeBatch", args: [batch] });
    },
    async getStubSignature() {
      return stubSignature;
    },
    async signUserOperation({ chainId = config.gameChain.id, ...operation }) {
      const userOperation = formatUserOperationRequest({ ...operation, sender: operation.sender ?? (await getAddress()), signature: "0x" });
      const answer = await unwrap(api.POST("/api/wallet/sign-user-operation", { headers: await signerAuthorization(), body: { chainId, userOperation } }));
      return answer.signature as Hex;
    },
    async signMessage({ message }) {
      if (typeof message !== "string") throw new Error("Only texts can be signed.");
      return (await unwrap(api.POST("/api/wallet/sign-message", { headers: await signerAuthorization(), body: { message } }))).signature as Hex;
    },
    async signTypedData(typedData) {
      return (await unwrap(api.POST("/api/wallet/sign-typed-data", { headers: await signerAuthorization(), body: { typedData } }))).signature as Hex;
    },
  } satisfies Implementation);
}

/** One call the smart account makes; `value` in wei, as a decimal string. */
export interface Call {
  to: string;
  value: string;
  data: string;
}

/** The player's smart account, ready to act. */
export interface ActiveWallet {
  address: Address;
  /** Sends the calls as one operation, all or nothing, without gas for the player. Returns the operation's hash. */
  send(calls: Call[]): Promise<Hex>;
  /** Waits until the chain has the operation; false when its calls were undone. */
  settled(operation: Hex): Promise<boolean>;
}

/** Connects the gasless smart wallet whose personal account is the embedded wallet. */
export async function connectSmartWallet(config: ClientConfig, owner: Address): Promise<ActiveWallet> {
  const account = await smartAccount(config, owner);
  const id = config.gameChain.id;
  const bundler = createBundlerClient({
    account,
    client: account.client,
    transport: transport("bundler", id),
    paymaster: createPaymasterClient({ transport: transport("paymaster", id) }),
    pollingInterval: config.gameChain.pollInterval,
  });
  return {
    address: account.address,
    send: (calls) => bundler.sendUserOperation({ calls: calls.map((call) => ({ to: call.to as Address, value: BigInt(call.value), data: call.data as Hex })) }),
    settled: async (hash) => (await bundler.waitForUserOperationReceipt({ hash })).success,
  };
}
