import { type Address, type Chain, concat, createClient, custom, encodeFunctionData, type Hex, isAddressEqual, pad, parseAbi } from "viem";
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint07Abi,
  entryPoint07Address,
  formatUserOperationRequest,
  type SmartAccount,
  type SmartAccountImplementation,
  toSmartAccount,
} from "viem/account-abstraction";
import { getCode, readContract } from "viem/actions";
import type { ClientConfig } from "~/features/config/schema";
import { api } from "~/lib/api/client";
import { createRpc } from "~/lib/rpc";
import { keys, read } from "~/lib/storage";
import { askSigner } from "./embedded";
import { ChainMissing, FactoryNotDeployed, UnknownPaymasterVersion } from "./errors";

/** The index of the owner's account; every player uses the first. */
const accountIndex = 0;

/** A dummy signature of the right form, for estimating gas before the operation is signed. */
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

/** The configuration of the chain that a wallet acts on. */
export type WalletChain = "gameChain" | "mainChain";

function chainOf({ id, name }: ClientConfig[WalletChain]): Chain {
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
 * The player's smart account: our subclass of Solady's ERC-4337 account, owned by the embedded wallet, whose key is
 * on the server. The signer receives complete operations, messages and typed data, so that it can check what it
 * signs.
 */
async function smartAccount(chain: ClientConfig[WalletChain], owner: Address): Promise<SmartAccount<Implementation>> {
  const client = createClient({ chain: chainOf(chain), transport: transport("rpc", chain.id) });
  const factory = chain.accountFactory as Address;
  const entryPoint = chain.entryPoint as Address;
  if (!isAddressEqual(entryPoint, entryPoint07Address)) throw new UnknownPaymasterVersion();
  const salt = accountSalt(owner);
  // Sent as one batch.
  const reading = readContract(client, { address: factory, abi: factoryAbi, functionName: "getAddress", args: [salt] });
  reading.catch(() => {}); // without a factory it fails too
  if (!(await getCode(client, { address: factory }))) throw new FactoryNotDeployed(chain.id);
  const address = await reading;

  return toSmartAccount({
    client,
    entryPoint: { abi: entryPoint07Abi, address: entryPoint, version: "0.7" },
    async getAddress() {
      return address;
    },
    async getFactoryArgs() {
      return { factory, factoryData: encodeFunctionData({ abi: factoryAbi, functionName: "createAccount", args: [salt] }) };
    },
    // One nonce sequence for all operations: each new key would use another storage slot on chain.
    async getNonce() {
      return readContract(client, { address: entryPoint, abi: entryPoint07Abi, functionName: "getNonce", args: [address, 0n] });
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
    async signUserOperation({ chainId = chain.id, ...operation }) {
      const userOperation = formatUserOperationRequest({ ...operation, sender: operation.sender ?? address, signature: "0x" });
      const answer = await askSigner((headers) => api.POST("/api/wallet/sign-user-operation", { headers, body: { chainId, userOperation } }));
      return answer.signature as Hex;
    },
    async signMessage({ message }) {
      if (typeof message !== "string") throw new Error("Only texts can be signed.");
      return (await askSigner((headers) => api.POST("/api/wallet/sign-message", { headers, body: { message } }))).signature as Hex;
    },
    async signTypedData(typedData) {
      return (await askSigner((headers) => api.POST("/api/wallet/sign-typed-data", { headers, body: { typedData } }))).signature as Hex;
    },
  } satisfies Implementation);
}

/** One call the smart account makes; `value` in wei, as a decimal string. */
export interface Call {
  to: string;
  value: string;
  data: string;
}

/** The chain state that an operation needs: fetched in advance, it makes sending faster. Valid for one operation. */
export interface Prepared {
  nonce: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** How to deploy the account; absent once it is deployed. */
  factory?: Address;
  factoryData?: Hex;
}

/** What became of an operation. */
export interface Receipt {
  /** False if its calls were reverted. */
  success: boolean;
  /** The transaction that contains it. */
  txHash: Hex;
}

/** The player's smart account, ready to act on one chain. */
export interface ActiveWallet {
  address: Address;
  /** Fetches the chain state for the next operation. */
  prepare(): Promise<Prepared>;
  /** Sends the calls as one atomic operation, without gas for the player. Returns the operation's hash. */
  send(calls: Call[], prepared: Prepared): Promise<Hex>;
  /** Waits for the receipt of an operation. */
  waitForReceipt(operation: Hex): Promise<Receipt>;
}

/** The maximum base fee is this multiple of the newest block's, so that a rise does not delay the operation. */
const feeMargin = 2n;

/**
 * Connects the gasless smart wallet whose personal account is the embedded wallet, on one chain. Its address is the
 * same on both. Throws ChainMissing, UnknownPaymasterVersion, FactoryNotDeployed, or the error of a failed call.
 */
export async function connectSmartWallet(chain: ClientConfig[WalletChain] | undefined, owner: Address): Promise<ActiveWallet> {
  if (!chain) throw new ChainMissing();
  const account = await smartAccount(chain, owner);
  const { id } = chain;
  const bundler = createBundlerClient({
    account,
    client: account.client,
    transport: transport("bundler", id),
    paymaster: createPaymasterClient({ transport: transport("paymaster", id) }),
    pollingInterval: chain.pollInterval,
  });
  return {
    address: account.address,
    async prepare() {
      // Sent as one batch.
      const [nonce, { factory, factoryData }, block, tip] = await Promise.all([
        account.getNonce(),
        account.getFactoryArgs(),
        account.client.request({ method: "eth_getBlockByNumber", params: ["latest", false] }),
        account.client.request({ method: "eth_maxPriorityFeePerGas" }),
      ]);
      const maxPriorityFeePerGas = BigInt(tip);
      return {
        nonce,
        maxFeePerGas: feeMargin * BigInt(block?.baseFeePerGas ?? 0) + maxPriorityFeePerGas,
        maxPriorityFeePerGas,
        ...(factory && factoryData ? { factory, factoryData } : {}),
      };
    },
    send(calls, prepared) {
      const made = calls.map(({ to, value, data }) => ({ to: to as Address, value: BigInt(value), data: data as Hex }));
      return bundler.sendUserOperation({ calls: made, ...prepared });
    },
    async waitForReceipt(hash) {
      const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash });
      return { success, txHash: receipt.transactionHash };
    },
  };
}
