import { describe, expect, it, vi } from "vitest";
import { clientConfig } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { type InvalidConfig, loadConfig, validConfig } from "./load";

const good = clientConfig({ gameChain: { explorerUrl: "https://explorer.example" }, monitoring: { active: true, applicationId: "A" } });

/** The configuration with one field, given by its path, replaced; undefined removes it. */
function but(path: string, value: unknown): unknown {
  const copy = structuredClone(good) as unknown as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  parent[last] = value;
  return JSON.parse(JSON.stringify(copy));
}

describe("validConfig", () => {
  it("lets a good one through", () => expect(validConfig(good)).resolves.toBe(good));

  it.each([
    ["environment", "production"],
    ["environment", undefined],
    ["clientId", 7],
    ["faucet", "yes"],
    ["gameChain.id", 0],
    ["gameChain.id", "1337042"],
    ["gameChain.name", ""],
    ["gameChain.pollInterval", -1],
    ["gameChain.entryPoint", "0x12"],
    ["gameChain.explorerUrl", "javascript:alert(1)"],
    ["mainChain.accountFactory", null],
    ["mainChain.accountImplementation", `${good.gameChain.entryPoint}0`],
    ["contracts.marketplace", undefined],
    ["contracts.chests", "0x12"],
    ["collections", { chests: "0x12" }],
    ["collections", undefined],
    ["contracts.usdc", "USDC"],
    ["contracts.elderGods", "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["currency.decimals", 6.5],
    ["currency.symbol", undefined],
    ["monitoring.active", undefined],
  ])("names %s where it is %j", (path, value) => {
    return expect(validConfig(but(path, value))).rejects.toThrow(`Invalid environment variables: ${path}`);
  });

  // Spec: RUN-2
  it("takes an address in lower case and with its checksum, and with no other", async () => {
    const sums = ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"];
    for (const sum of sums) await expect(validConfig(but("contracts.usdc", sum))).resolves.toBeDefined();
    await expect(validConfig(but("contracts.usdc", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"))).rejects.toMatchObject({
      faults: ["contracts.usdc"],
    });
  });

  // Spec: RUN-2
  it("names every fault at once, and no value", async () => {
    const bad = { ...good, environment: "hunter2", gameChain: { ...good.gameChain, id: 0, accountFactory: "0x12" }, contracts: null };
    const refused: InvalidConfig = await validConfig(bad).catch((error) => error);
    expect(refused.faults.slice(0, 3)).toEqual(["environment", "gameChain.id", "gameChain.accountFactory"]);
    expect(refused.faults).toHaveLength(3 + 5); // the contracts that every brand has
    expect(refused.message).not.toContain("hunter2");
  });

  it.each([null, undefined, "", [], 7])("refuses %j", (config) =>
    expect(validConfig(config)).rejects.toThrow(/^Invalid environment variables: environment, /),
  );
});

describe("loadConfig", () => {
  it("asks once, however many want to know", async () => {
    const asked = vi.fn(() => HttpResponse.json(good));
    server.use(http.get("*/api/config", asked));
    expect(await Promise.all([loadConfig(), loadConfig()])).toEqual([good, good]);
    expect(await loadConfig()).toEqual(good);
    expect(asked).toHaveBeenCalledOnce();
  });

  it("asks again after a failure", async () => {
    server.use(http.get("*/api/config", () => problem(503, "Away."), { once: true }));
    await expect(loadConfig()).rejects.toThrow("Away.");
    server.use(http.get("*/api/config", () => HttpResponse.json(good)));
    expect(await loadConfig()).toEqual(good);
  });
});
