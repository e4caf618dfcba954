import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "~/lib/storage";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { loadFlags, pollFlags } from "./poll";
import { flags } from "./store";

const address = "*/api/proxy/feature-flag/getEvaluatedFeatureFlags";
const answer = { "2": { enabled: true, value: true, variant: "on", reason: "STATIC" } };

beforeEach(() => flags.set(flags.initial));

describe("feature flags", () => {
  it("are pending at first, then fulfilled", async () => {
    expect(flags.get()).toMatchObject({ loading: true, isFetched: false });
    server.use(http.get(address, () => HttpResponse.json({ flags: answer })));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: answer, loading: false, isFetched: true });
    expect(JSON.parse(localStorage.getItem(keys.flags) ?? "")).toEqual(answer);
  });

  it("are the last ones this browser saw when the service is away", async () => {
    localStorage.setItem(keys.flags, JSON.stringify(answer));
    server.use(http.get(address, () => problem(503, "Away.")));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: answer, loading: false, isFetched: true });
  });

  it("stay unknown when the service is away and nothing was seen before", async () => {
    server.use(http.get(address, () => HttpResponse.error()));
    await loadFlags();
    expect(flags.get()).toEqual({ flags: {}, loading: false, isFetched: false });
  });
});

describe("polling", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => vi.useRealTimers());

  it("asks at the start and every 30 s, until it is stopped", async () => {
    let count = 0;
    server.use(
      http.get(address, () => {
        count++;
        return HttpResponse.json({ flags: {} });
      }),
    );
    const stop = pollFlags();
    vi.advanceTimersByTime(59_999);
    stop();
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(() => expect(count).toBe(2));
  });
});
