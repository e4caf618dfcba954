import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { workerIn } from "../../../scripts/monitoring-worker";
import { clientConfig } from "../../../test/make";
import { startMonitoring } from "./start";

const sdk = vi.hoisted(() => ({ start: vi.fn(), loaded: vi.fn() }));
vi.mock("./rum", () => {
  sdk.loaded();
  return { start: sdk.start };
});

const on = clientConfig({ monitoring: { active: true } });
let idle: (() => void) | undefined;

beforeEach(() => {
  idle = undefined;
  sdk.start.mockClear();
  vi.stubGlobal("requestIdleCallback", (run: () => void) => {
    idle = run;
  });
});

describe("the monitoring", () => {
  it("is not even loaded where nobody looks at reports", () => {
    startMonitoring(clientConfig({ monitoring: { active: false } }));
    expect(idle).toBeUndefined();
    expect(sdk.loaded).not.toHaveBeenCalled();
  });

  it("is loaded when the page is complete and the browser has nothing better to do", async () => {
    const state = vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
    startMonitoring(on);
    expect(idle).toBeUndefined();
    state.mockReturnValue("complete");
    window.dispatchEvent(new Event("load"));
    expect(sdk.loaded).not.toHaveBeenCalled();
    idle?.();
    await vi.waitFor(() => expect(sdk.start).toHaveBeenCalledExactlyOnceWith(on));
  });

  it("costs nothing but a report when it cannot start", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    sdk.start.mockImplementation(() => {
      throw new Error("blocked");
    });
    startMonitoring(on);
    idle?.();
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
