import { type Address, type Chain, concat, createClient, custom, encodeFunctionData, type Hex, isAddressEqual, pad, parseAbi } from "viem";
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint07Abi,
  entryPoint07Address,
  formatUserOperationRequest,
  getUserOperationHash,
  type RpcUserOperation,
  type SmartAccount,
  type SmartAccountImplementation,
  toSmartAccount,
} from "viem/account-abstraction";
import { getCode, readContract } from "viem/actions";
import type { ClientConfig } from "~/features/config/schema";
import { api } from "~/lib/api/client";
import { createRpc, RpcError } from "~/lib/rpc";
import { keys, read } from "~/lib/storage";
import { walletContract } from "./contract";
import { ChainMissing, FactoryNotDeployed, UnknownPaymasterVersion } from "./errors";
import { askSigner } from "./signer";

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
  return custom(
    createRpc({ url: `/api/proxy/${path}/${chainId}`, headers: authorization, ...(path === "rpc" ? {} : { maxBatchSize: 1 }) }),
    { retryCount: 0 },
  );
}

type Implementation = SmartAccountImplementation<typeof entryPoint07Abi, "0.7">;

/**
 * The player's smart account: our subclass of Solady's ERC-4337 account, owned by the embedded wallet, whose key is
 * on the server. The signer receives complete operations, messages and typed data, so that it can check what it
 * signs.
 */
async function smartAccount(chain: ClientConfig[WalletChain], owner: Address): Promise<SmartAccount<Implementation>> {
  const client = createClient({ chain: chainOf(chain), transport: transport("rpc", chain.id) });
  const { address: factory } = walletContract({ client, address: chain.accountFactory, chainId: chain.id });
  const { address: entryPoint } = walletContract({ client, address: chain.entryPoint, chainId: chain.id });
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
      if (only && batch.length === 1)
        return encodeFunctionData({ abi: accountAbi, functionName: "execute", args: [only.target, only.value, only.data] });
      return encodeFunctionData({ abi: accountAbi, functionName: "executeBatch", args: [batch] });
    },
    async getStubSignature() {
      return stubSignature;
    },
    async signUserOperation({ chainId = chain.id, ...operation }) {
      const userOperation = formatUserOperationRequest({ ...operation, sender: operation.sender ?? address, signature: "0x" });
      const answer = await askSigner((headers) =>
        api.POST("/api/wallet/sign-user-operation", { headers, body: { chainId, userOperation } }),
      );
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

/** An operation that is ready to be submitted. It is plain JSON, so that it can be stored. */
export interface Signed {
  /** Its hash (userOpHash of ERC-4337), by which the relay and the chain know it. */
  operation: Hex;
  signed: RpcUserOperation<"0.7">;
}

/** The outcome of an operation: the transaction that contains it, unless its calls were reverted or the relay dropped it. */
export type Receipt = { success: true; txHash: Hex } | { success: false };

/** The player's smart account, ready to act on one chain. */
export interface ActiveWallet {
  address: Address;
  /** Fetches the chain state for the next operation. */
  prepare(): Promise<Prepared>;
  /** Makes one atomic operation of the calls, without gas for the player, and has it signed. Nothing is sent. */
  sign(calls: Call[], prepared: Prepared): Promise<Signed>;
  /**
   * Submits an operation to the relay. It is safe to repeat: the relay answers an operation that it has with the same hash.
   * Throws the relay's RpcError if it was refused; after any other error the relay may have it.
   */
  submit(operation: Signed): Promise<void>;
  /** Whether the relay has accepted an operation. */
  isAccepted(operation: Hex): Promise<boolean>;
  /** Waits for the receipt of an operation that the relay has accepted. */
  waitForReceipt(operation: Hex): Promise<Receipt>;
}

/** The relay's error code for the receipt of an operation that it has dropped (ERC-7769: rejected by the EntryPoint or the account). */
const droppedCode = -32500;

/** Whether a failed request for a receipt says that the relay has dropped the operation. */
function isDropped(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RpcError) return cause.code === droppedCode;
  return false;
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
  const entryPoint = account.entryPoint.address;
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
    async sign(calls, prepared) {
      const made = calls.map(({ to, value, data }) => ({ to: to as Address, value: BigInt(value), data: data as Hex }));
      const userOperation = await bundler.prepareUserOperation({ calls: made, ...prepared });
      const signature = await account.signUserOperation(userOperation);
      return {
        operation: getUserOperationHash({
          chainId: id,
          entryPointAddress: entryPoint,
          entryPointVersion: "0.7",
          userOperation: { ...userOperation, signature },
        }),
        signed: formatUserOperationRequest({ ...userOperation, signature }) as RpcUserOperation<"0.7">,
      };
    },
    async submit({ operation, signed }) {
      const answer = await bundler.request({ method: "eth_sendUserOperation", params: [signed, entryPoint] }, { retryCount: 0 });
      if (answer !== operation) throw new Error("The answer is not the operation's hash.");
    },
    async isAccepted(hash) {
      return (await bundler.request({ method: "eth_getUserOperationByHash", params: [hash] })) !== null;
    },
    async waitForReceipt(hash) {
      try {
        const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash });
        return success ? { success, txHash: receipt.transactionHash } : { success };
      } catch (error) {
        if (isDropped(error)) return { success: false };
        throw error;
      }
    },
  };
}
