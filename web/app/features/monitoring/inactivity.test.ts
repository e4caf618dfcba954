import { datadogRum } from "@datadog/browser-rum";
import { expect, it, vi } from "vitest";
import { visit } from "~/lib/visit";
import { clientConfig } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { start } from "./rum";

class Nothing {
  observe() {}
  unobserve() {}
  disconnect() {}
  addEventListener() {}
  removeEventListener() {}
  postMessage() {}
}

/** A user interaction: the SDK relies on the flag of events that no script has created. */
function act(): void {
  window.dispatchEvent(Object.assign(new MouseEvent("click"), { __ddIsTrusted: true }));
}

const session = () => datadogRum.getInternalContext()?.session_id;

const look = (visibility: DocumentVisibilityState) => vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);

// Spec: MON-5
it("the session for monitoring expires after an inactivity period: 15 minutes in which nobody acts or looks at the page", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.stubGlobal("ResizeObserver", Nothing);
  vi.stubGlobal("Worker", Nothing);
  server.use(http.post("*/api/monitoring", () => new HttpResponse(null, { status: 202 })));
  const first = visit();
  start(clientConfig({ monitoring: { active: true } }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(session()).toBe(first);
  look("visible");
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  expect(visit()).toBe(first);
  look("hidden");
  act();
  await vi.advanceTimersByTimeAsync(14 * 60_000);
  expect(visit()).toBe(first);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(session()).toBeUndefined();
  expect(visit()).toBe(first); // no other has begun
  act();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(visit()).not.toBe(first);
  expect(visit()).toBe(session());
  vi.useRealTimers();
});
