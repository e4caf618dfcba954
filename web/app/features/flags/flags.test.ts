import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadConfig } from "~/features/config/load";
import { keys } from "~/lib/storage";
import { delayed } from "../../../test/delayed";
import { clientConfig } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { evaluatedFlags, loadFlags, pollFlags } from "./poll";
import { flags } from "./store";

const address = "*/api/proxy/feature-flag/getEvaluatedFeatureFlags";
const answer = { "2": { enabled: true, value: true, variant: "on", reason: "STATIC" } };

beforeEach(() => {
  flags.set(flags.initial);
  vi.spyOn(console, "warn")
    .mockReset()
    .mockImplementation(() => {});
  server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ environment: "stage" }))));
});

describe("feature flags", () => {
  // Spec: FLAG-1
  it("are pending at first, then fulfilled", async () => {
    expect(flags.get()).toMatchObject({ loading: true, isFetched: false });
    server.use(http.get(address, () => HttpResponse.json({ flags: answer })));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: answer, loading: false, isFetched: true });
    expect(JSON.parse(localStorage.getItem(keys.flags) ?? "")).toEqual(answer);
  });

  // Spec: FLAG-2
  it("are asked for by environment and project, by a visitor without a token", async () => {
    const asked: Request[] = [];
    server.use(
      http.get(address, ({ request }) => {
        asked.push(request);
        return HttpResponse.json({ flags: answer });
      }),
    );
    await evaluatedFlags();
    localStorage.setItem(keys.token, "a-token");
    await evaluatedFlags();
    expect(asked.map(({ url }) => new URL(url).search)).toEqual(["?environment=stage&project=portal", "?environment=stage&project=portal"]);
    expect(asked.map(({ credentials }) => credentials)).toEqual(["include", "include"]);
    expect(asked.map(({ headers }) => headers.get("Authorization"))).toEqual([null, "a-token"]);
  });

  // Spec: UI-12, FLAG-2, API-2
  it.each([
    ["is away", () => problem(503, "Away.")],
    ["cannot be reached", () => HttpResponse.error()],
    ["answers something else", () => HttpResponse.json({ flags: { "2": true } })],
    ["answers nothing", () => HttpResponse.json(null)],
  ])("are the last ones this browser saw when the service %s, which is reported once", async (_, service) => {
    server.use(http.get(address, () => HttpResponse.json({ flags: answer })));
    await loadFlags();
    server.use(http.get(address, service));
    await loadFlags();
    await loadFlags();
    expect(flags.get()).toEqual({ flags: answer, loading: false, isFetched: true });
    expect(JSON.parse(localStorage.getItem(keys.flags) ?? "")).toEqual(answer);
    expect(console.warn).toHaveBeenCalledExactlyOnceWith("flags: the last ones are used", expect.anything());
  });

  it("are the newest ones, though an older answer comes later", async () => {
    let on = false;
    const calls = delayed(() => HttpResponse.json({ flags: { "2": { ...answer["2"], enabled: on } } }));
    server.use(http.get(address, calls.resolver));
    const older = loadFlags();
    await calls.arrived();
    on = true;
    const newer = loadFlags();
    await calls.arrived(2);
    calls.letGo(2);
    await newer;
    calls.letGo(1);
    await older;
    expect(flags.get().flags["2"]?.enabled).toBe(true);
  });

  it("are the last ones this browser saw when the configuration cannot be had", async () => {
    localStorage.setItem(keys.flags, JSON.stringify(answer));
    server.use(http.get("*/api/config", () => HttpResponse.error()));
    expect(await evaluatedFlags()).toEqual(answer);
  });

  // Spec: FLAG-2
  it.each([undefined, "{", "null", '{"2":1}', "[1]"])("are refused when the service is away and storage has %j", async (stored) => {
    if (stored) localStorage.setItem(keys.flags, stored);
    server.use(http.get(address, () => problem(503, "Away.")));
    await expect(evaluatedFlags()).rejects.toThrow("Away.");
  });

  // Spec: FLAG-1
  it("stay unknown when the service is away and nothing was seen before", async () => {
    server.use(http.get(address, () => HttpResponse.error()));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: {}, loading: false, isFetched: false });
  });

  it("stay what they were when the service goes away later and storage is lost", async () => {
    server.use(http.get(address, () => HttpResponse.json({ flags: answer })));
    await loadFlags();
    localStorage.clear();
    server.use(http.get(address, () => HttpResponse.error()));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: answer, loading: false, isFetched: true });
  });
});

describe("polling", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
  afterEach(() => vi.useRealTimers());

  // Spec: FLAG-3
  it("asks at the start and every 30 s, until it is stopped", async () => {
    await loadConfig();
    const began = Date.now();
    const asked: number[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      asked.push(Date.now() - began);
      return HttpResponse.json({ flags: {} });
    });
    const stop = pollFlags();
    await vi.advanceTimersByTimeAsync(60_000);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([0, 30_000, 60_000]);
  });
});
