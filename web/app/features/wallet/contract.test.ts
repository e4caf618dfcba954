import { describe, expect, it } from "vitest";
import { walletContract } from "./contract";

const client = { request: () => {} };
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("a wallet's contract", () => {
  it("has a client, an address and a chain id", () => {
    expect(walletContract({ client, address, chainId: 42170 })).toEqual({ client, address, chainId: 42170 });
  });

  // Spec: WALLET-13
  it.each([
    ["client", { client: undefined }],
    ["client", { client: { request: "x" } as never }],
    ["address", { address: undefined }],
    ["address", { address: "" }],
    ["address", { address: "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["chain id", { chainId: undefined }],
    ["chain id", { chainId: 0 }],
    ["chain id", { chainId: Number.NaN }],
    ["chain id", { chainId: "42170" }],
  ])("is refused for its %s: %o", (part, other) => {
    expect(() => walletContract({ client, address, chainId: 42170, ...other })).toThrow(
      expect.objectContaining({ name: "InvalidContract", message: `Invalid ${part}` }),
    );
  });
});
