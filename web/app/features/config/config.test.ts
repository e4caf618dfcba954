import { describe, expect, it } from "vitest";
import { type ClientConfig, validConfig } from "./config";

const address = `0x${"a".repeat(40)}`;
const good = {
  environment: "dev",
  faucet: true,
  currency: { address, symbol: "USDC", decimals: 6 },
  gameChain: { id: 1337042, name: "Game", pollInterval: 50, entryPoint: address, accountFactory: address, accountImplementation: address },
} as ClientConfig;

describe("validConfig", () => {
  it("lets a good one through", () => expect(validConfig(good)).toBe(good));

  it("names every fault at once", () => {
    const bad = { ...good, environment: "production", gameChain: { ...good.gameChain, id: 0, accountFactory: "0x12" } };
    expect(() => validConfig(bad)).toThrow("Invalid environment variables: environment, gameChain.id, gameChain.accountFactory");
  });

  it("refuses one that is not there at all", () => expect(() => validConfig({} as ClientConfig)).toThrow(/^Invalid environment variables/));
});
