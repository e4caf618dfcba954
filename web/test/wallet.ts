import { encodeFunctionResult, type Hex, numberToHex, zeroHash } from "viem";
import { entryPoint07Abi, entryPoint07Address, getUserOperationHash, type RpcUserOperation } from "viem/account-abstraction";
import { keys } from "~/lib/storage";
import { clientConfig, jwt, profile } from "./make";
import { HttpResponse, http, server } from "./server";

export const owner: Hex = `0x${"11".repeat(20)}`;
export const smart: Hex = `0x${"22".repeat(20)}`;
export const factory: Hex = `0x${"ff".repeat(20)}`;
export const usdc: Hex = `0x${"c1".repeat(20)}`;
export const god: Hex = `0x${"c2".repeat(20)}`;
export const market: Hex = `0x${"dd".repeat(20)}`;
/** The hash of an operation, where any will do. */
export const operation: Hex = `0x${"ab".repeat(32)}`;
export const chain = 1337042;
export const mainChain = 1337137;
/** The transaction that contains the operation. */
export const transaction: Hex = `0x${"7a".repeat(32)}`;

/** The contents of an RPC error. */
export interface Refused {
  code: number;
  message: string;
  data?: object;
}

/** Mocks of the player's wallet, the chain, signer and relay. */
export interface WalletWorld {
  balance: bigint;
  faucet: boolean;
  nonce: bigint;
  /** The chain of the last operation sent. */
  sentOn?: string;
  /** The JSON-RPC calls made, as "where method". */
  rpc: string[];
  /** The last operation sent to the bundler, and what the signer was asked to sign. */
  sent?: Record<string, unknown>;
  signed?: Record<string, unknown>;
  /** The hashes of the operations that the bundler has accepted. */
  has: Hex[];
  /** The bundler's response to an operation: its hash, unless there is an error. */
  bundle: () => { error?: Refused };
  /** What arrives in place of the bundler's response to the operation of a request; undefined if that arrives. */
  lost: (id: number) => Response | undefined;
  /** The receipt of the operation: null until it is in a block, an error to fail. */
  receipt: () => { success: boolean } | { error: Refused } | null;
  /** Called when the bundler accepts an operation. */
  accepted: () => void;
  /** The signer's response. */
  sign: () => Response;
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const word = (value: Hex | bigint) =>
  typeof value === "bigint" ? numberToHex(value, { size: 32 }) : (`0x${value.slice(2).padStart(64, "0")}` as Hex);

/** The hash of an operation, as the bundler computes it. */
function hashOf(
  {
    callGasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce,
    preVerificationGas,
    verificationGasLimit,
    ...rest
  }: Omit<RpcUserOperation<"0.7">, "authorization" | "eip7702Auth">,
  chainId: number,
): Hex {
  const { paymasterPostOpGasLimit = "0x0", paymasterVerificationGasLimit = "0x0" } = rest;
  const userOperation = {
    ...rest,
    callGasLimit: BigInt(callGasLimit),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    nonce: BigInt(nonce),
    preVerificationGas: BigInt(preVerificationGas),
    verificationGasLimit: BigInt(verificationGasLimit),
    paymasterPostOpGasLimit: BigInt(paymasterPostOpGasLimit),
    paymasterVerificationGasLimit: BigInt(paymasterVerificationGasLimit),
  };
  return getUserOperationHash({ chainId, entryPointAddress: entryPoint07Address, entryPointVersion: "0.7", userOperation });
}

/** Mocks the calls of a player with a connected wallet. The returned object may be modified during a test. */
export function answerWallet(): WalletWorld {
  const world: WalletWorld = {
    balance: 500_000_000n,
    faucet: true,
    nonce: 7n,
    rpc: [],
    has: [],
    bundle: () => ({}),
    lost: () => undefined,
    receipt: () => ({ success: true }),
    accepted: () => {},
    sign: () => HttpResponse.json({ signature: `0x${"5e".repeat(65)}` }),
  };

  /** Mocks the JSON-RPC of one of the proxies. */
  function answerRpc(where: string, answer: (method: string, params: unknown[], on: string) => unknown) {
    return http.post(`*/api/proxy/${where}/:on`, async ({ request, params: { on } }) => {
      const body = (await request.json()) as Call | Call[];
      const reply = ({ id, method, params }: Call) => {
        world.rpc.push(`${where} ${method}`);
        const value = answer(method, params, String(on));
        const failed = typeof value === "object" && value !== null && "error" in value;
        return { jsonrpc: "2.0", id, ...(failed ? value : { result: value }) };
      };
      const replies = Array.isArray(body) ? body.map(reply) : reply(body);
      const isSent = !Array.isArray(body) && body.method === "eth_sendUserOperation";
      return (isSent && world.lost(body.id)) || HttpResponse.json(replies);
    });
  }

  function call([{ to }]: [{ to: string }]): Hex {
    if (to === usdc) return word(world.balance);
    if (to === god) return word(0n);
    if (to === factory) return word(smart);
    return encodeFunctionResult({ abi: entryPoint07Abi, functionName: "getNonce", result: world.nonce });
  }

  localStorage.setItem(keys.token, jwt({ exp: Date.now() / 1000 + 3600 }));
  localStorage.setItem(keys.walletToken, jwt({ sub: profile().AccountInfo.PlayFabId, exp: Date.now() / 1000 + 900 }));
  server.use(
    http.get("*/api/marketplace/fees", () => HttpResponse.json({ platformBps: 100, royaltyBps: 250 })),
    http.get("*/api/config", () =>
      HttpResponse.json(
        clientConfig({
          faucet: world.faucet,
          currency: { address: usdc },
          contracts: { god },
          gameChain: { id: chain, accountFactory: factory, accountImplementation: market },
          mainChain: { id: mainChain, accountFactory: factory, accountImplementation: market },
        }),
      ),
    ),
    http.get("*/api/auth/profile", () => HttpResponse.json(profile({ smartWalletAddress: smart }))),
    http.post("*/api/wallet/connect", () => HttpResponse.json({ address: owner })),
    http.post("*/api/smartWallet/has-smart-wallet", () => HttpResponse.json({ embeddedWallet: owner, smartWallet: smart })),
    http.post("*/api/wallet/sign-user-operation", async ({ request }) => {
      world.signed = (await request.json()) as Record<string, unknown>;
      return world.sign();
    }),
    answerRpc("rpc", (method, params, on) => {
      switch (method) {
        case "eth_call":
          return call(params as [{ to: string }]);
        case "eth_getCode":
          return params[0] === factory ? "0x60" : "0x";
        case "eth_chainId":
          return numberToHex(Number(on));
        case "eth_getBlockByNumber":
          return { number: "0x1", hash: zeroHash, baseFeePerGas: "0x1", timestamp: "0x1", transactions: [] };
        default:
          return "0x1";
      }
    }),
    answerRpc("bundler", (method, params, on) => {
      switch (method) {
        case "eth_estimateUserOperationGas":
          return { preVerificationGas: "0xc350", verificationGasLimit: "0x30d40", callGasLimit: "0x30d40" };
        case "eth_sendUserOperation": {
          world.sent = params[0] as Record<string, unknown>;
          world.sentOn = on;
          const hash = hashOf(params[0] as RpcUserOperation<"0.7">, Number(on));
          if (world.has.includes(hash)) return hash;
          const { error } = world.bundle();
          if (error) return { error };
          world.has.push(hash);
          world.accepted();
          return hash;
        }
        case "eth_getUserOperationByHash":
          return world.has.includes(params[0] as Hex) ? { userOperation: world.sent } : null;
        case "eth_getUserOperationReceipt": {
          if (!world.has.includes(params[0] as Hex)) return null;
          const receipt = world.receipt();
          if (!receipt || "error" in receipt) return receipt;
          return {
            success: receipt.success,
            userOpHash: params[0],
            actualGasCost: "0x0",
            actualGasUsed: "0x0",
            nonce: "0x7",
            logs: [],
            receipt: { transactionHash: transaction, logs: [] },
          };
        }
        default:
          return numberToHex(Number(on));
      }
    }),
    answerRpc("paymaster", () => ({
      paymaster: market,
      paymasterData: "0x01",
      paymasterVerificationGasLimit: "0x186a0",
      paymasterPostOpGasLimit: "0x0",
    })),
  );
  return world;
}
