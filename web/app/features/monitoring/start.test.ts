import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { report, waiting } from "~/lib/report";
import { visit } from "~/lib/visit";
import { workerIn } from "../../../scripts/monitoring-worker";
import { clientConfig } from "../../../test/make";
import { reportShortVisit } from "./short-visit";
import { startMonitoring } from "./start";

const sdk = vi.hoisted(() => ({ start: vi.fn(), loaded: vi.fn() }));
vi.mock("./rum", () => {
  sdk.loaded();
  return { start: sdk.start };
});

const on = clientConfig({ monitoring: { active: true } });
let idle: (() => void)[];

beforeEach(() => {
  waiting.splice(0);
  idle = [];
  sdk.start.mockReset();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestIdleCallback", (run: () => void) => idle.push(run));
});
afterEach(() => {
  vi.advanceTimersByTime(8_000);
  vi.useRealTimers();
});

describe("the monitoring", () => {
  it("is not even loaded where nobody looks at reports", () => {
    startMonitoring(clientConfig({ monitoring: { active: false } }));
    vi.advanceTimersByTime(8_000);
    expect(idle).toEqual([]);
    expect(sdk.loaded).not.toHaveBeenCalled();
  });

  it("is loaded when the page is complete, has been left to itself for 8 s, and the browser has nothing better to do", async () => {
    const state = vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
    startMonitoring(on);
    vi.advanceTimersByTime(60_000);
    expect(idle).toEqual([]);
    state.mockReturnValue("complete");
    window.dispatchEvent(new Event("load"));
    vi.advanceTimersByTime(7_999);
    expect(idle).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sdk.loaded).not.toHaveBeenCalled();
    idle[0]?.();
    await vi.waitFor(() => expect(sdk.start).toHaveBeenCalledExactlyOnceWith(on));
  });

  it.each(["pointerdown", "keydown", "scroll"])(
    "does not wait that long once somebody uses the page (%s), and starts once",
    async (touch) => {
      startMonitoring(on);
      window.dispatchEvent(new Event(touch));
      window.dispatchEvent(new Event(touch));
      vi.advanceTimersByTime(8_000);
      expect(idle).toHaveLength(1);
      idle[0]?.();
      await vi.waitFor(() => expect(sdk.start).toHaveBeenCalledExactlyOnceWith(on));
    },
  );

  it("costs nothing but a report when it cannot start", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    sdk.start.mockImplementation(() => {
      throw new Error("blocked");
    });
    startMonitoring(on);
    window.dispatchEvent(new Event("keydown"));
    idle[0]?.();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith("monitoring: not started", "blocked"));
  });
});

describe("a visit that ends before the monitoring has started", () => {
  const sent = vi.fn((address: string | URL, body?: BodyInit | null) => Boolean(address && body));
  beforeEach(() => {
    sent.mockClear();
    vi.stubGlobal("navigator", { ...navigator, sendBeacon: sent });
  });
  const events = () =>
    sent.mock.calls.flatMap(([, body]) =>
      String(body)
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  const look = (visibility: DocumentVisibilityState) => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const hide = () => look("hidden");
  const show = () => look("visible");
  let stop = () => {};
  afterEach(() => stop());

  // Spec: MON-2
  it("is reported when the page is hidden, with its errors and without what an address may hide", () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    history.replaceState(null, "", "/games?token=hunter2#hunter2");
    stop = reportShortVisit(on);
    report("early", new Error("no"));
    expect(sent).not.toHaveBeenCalled();
    hide();
    const session = { id: visit(), type: "user" };
    expect(events()).toMatchObject([
      { type: "view", session, view: { url: "http://localhost:3000/games", time_spent: expect.any(Number), error: { count: 1 } } },
      { type: "error", session, error: { message: "no" }, context: { what: "early" } },
    ]);
    const address = new URL(String(sent.mock.calls[0]?.[0]), location.origin);
    expect(address.pathname).toBe("/api/monitoring");
    expect(address.searchParams.get("ddforward")).toMatch(
      /^\/api\/v2\/rum\?ddsource=browser&dd-evp-origin=browser&dd-request-id=[0-9a-f-]{36}&batch_time=\d+&_dd.api=beacon$/,
    );
    expect(JSON.stringify(sent.mock.calls)).not.toContain("hunter2");
    history.replaceState(null, "", "/");
  });

  it("reports an error once, however often the page is hidden", () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    stop = reportShortVisit(on);
    report("early", new Error("no"));
    hide();
    dispatchEvent(new Event("pagehide"));
    show();
    hide();
    expect(sent).toHaveBeenCalledTimes(2);
    expect(events().filter(({ type }) => type === "error")).toHaveLength(1);
    expect(new Set(events().map(({ view }) => view.id)).size).toBe(1);
  });

  it("is left to the monitoring once that has started, and to nobody where nobody looks at reports", async () => {
    startMonitoring(clientConfig({ monitoring: { active: false } }));
    startMonitoring(on);
    window.dispatchEvent(new Event("keydown"));
    idle[0]?.();
    await vi.waitFor(() => expect(sdk.start).toHaveBeenCalledOnce());
    hide();
    expect(sent).not.toHaveBeenCalled();
  });
});

describe("the SDK's worker", () => {
  const path = join(import.meta.dirname, "../../../../node_modules/@datadog/browser-rum/esm/domain/deflate/deflateWorker.mjs");

  it("is found in the SDK's module, whole", () => {
    const code = readFileSync(path, "utf8");
    const { source, expression } = workerIn(code);
    expect(() => new Function(source)).not.toThrow();
    expect(source).toContain("postMessage");
    expect(code.replace(expression, "undefined")).toContain("new Worker(configuration.workerUrl || undefined)");
  });

  it("is missed when it is not there", () => expect(() => workerIn("export {}")).toThrow(/has no worker in it/));
});
