import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { workerIn } from "../../../scripts/monitoring-worker";
import { clientConfig } from "../../../test/make";
import { startMonitoring } from "./start";

const sdk = vi.hoisted(() => ({ start: vi.fn(), loaded: vi.fn() }));
vi.mock("./rum", () => {
  sdk.loaded();
  return { start: sdk.start };
});

const on = clientConfig({ monitoring: { active: true } });
let idle: (() => void)[];

beforeEach(() => {
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

  it.each(["pointerdown", "keydown", "scroll"])("does not wait that long once somebody uses the page (%s), and starts once", async (touch) => {
    startMonitoring(on);
    window.dispatchEvent(new Event(touch));
    window.dispatchEvent(new Event(touch));
    vi.advanceTimersByTime(8_000);
    expect(idle).toHaveLength(1);
    idle[0]?.();
    await vi.waitFor(() => expect(sdk.start).toHaveBeenCalledExactlyOnceWith(on));
  });

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
