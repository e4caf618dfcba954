import { beforeEach, expect, it, vi } from "vitest";

/** Loads the module as on a new page. */
async function open() {
  vi.resetModules();
  return import("./report");
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

it("keeps what is reported until the monitoring is there, then hands it on in order", async () => {
  const { attach, report } = await open();
  const heard = vi.fn();
  const late = new Error("late");
  report("first", "cause");
  report("second");
  attach(heard);
  report("third", late);
  expect(heard.mock.calls).toEqual([
    [{ what: "first", error: "cause", at: expect.any(Number) }],
    [{ what: "second", error: undefined, at: expect.any(Number) }],
    [{ what: "third", error: late, at: expect.any(Number) }],
  ]);
  expect(console.warn).toHaveBeenCalledTimes(3);
  expect(console.warn).toHaveBeenLastCalledWith("third", "late");
});

// Spec: MON-3
it("keeps 500 at most", async () => {
  const { attach, report } = await open();
  for (let i = 0; i < 600; i++) report(String(i));
  const heard = vi.fn();
  attach(heard);
  expect(heard).toHaveBeenCalledTimes(500);
  expect(heard.mock.calls.at(-1)).toEqual([expect.objectContaining({ what: "499" })]);
});

it("looks out for errors that nobody catches until the monitoring does", async () => {
  const { attach, watchErrors } = await open();
  const failed = Promise.resolve();
  const happen = () => {
    window.dispatchEvent(new ErrorEvent("error", { message: "Script error." }));
    window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { promise: failed, reason: "rejected" }));
  };
  happen();
  watchErrors();
  happen();
  const heard = vi.fn();
  attach(heard);
  happen();
  expect(heard.mock.calls).toEqual([
    [{ what: "uncaught", error: "Script error.", at: expect.any(Number) }],
    [{ what: "unhandled rejection", error: "rejected", at: expect.any(Number) }],
  ]);
});
