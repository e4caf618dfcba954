import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpResponse, problem } from "../../../test/server";
import { chainMetadata } from "./chain-metadata";

/** The chains that were asked for. */
let asked: number[];
/** The server's answer. */
let answer: (chainId: number) => Response;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  asked = [];
  answer = (chainId) => HttpResponse.json({ data: { chainId, name: `Chain ${chainId}` } });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const chainId = Number((request as Request).url.split("/").at(-1));
    asked.push(chainId);
    return answer(chainId);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the metadata of a chain", () => {
  // Spec: CHAIN-5
  it("is asked for once in 5 minutes", async () => {
    const [one, same] = await Promise.all([chainMetadata(1), chainMetadata(1)]);
    expect([one.name, same]).toEqual(["Chain 1", one]);
    pass(299_999);
    await chainMetadata(1);
    expect(asked).toEqual([1]);
    pass(1);
    await chainMetadata(1);
    expect(asked).toEqual([1, 1]);
  });

  // Spec: CHAIN-5
  it("is asked for again after a failure", async () => {
    answer = () => problem(503, "Away.");
    await expect(chainMetadata(2)).rejects.toThrow("Away.");
    answer = (chainId) => HttpResponse.json({ data: { chainId, name: "Back" } });
    await expect(chainMetadata(2)).resolves.toMatchObject({ name: "Back" });
  });

  // Spec: CHAIN-5
  it("is cached for 4096 chains, those that were used last", async () => {
    const chains = Array.from({ length: 4097 }, (_, i) => 1000 + i);
    await Promise.all(chains.map(chainMetadata));
    asked = [];
    await chainMetadata(1001);
    expect(asked).toEqual([]);
    await chainMetadata(1000);
    expect(asked).toEqual([1000]);
  });
});
