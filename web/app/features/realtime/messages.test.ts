import { describe, expect, it, vi } from "vitest";
import { dispatch, onMessage } from "./messages";

describe("dispatch", () => {
  // Spec: LIVE-8
  it("hands a message to the listeners of its channel, until they stop", () => {
    const heard = vi.fn();
    const stop = onMessage("order", heard);
    const message = { type: "update", payload: { orderId: "1", state: "complete" } };
    dispatch({ channelId: "order", ...message });
    dispatch({ channelId: "listing", ...message });
    stop();
    dispatch({ channelId: "order", ...message });
    expect(heard).toHaveBeenCalledExactlyOnceWith(message);
  });

  // Spec: LIVE-8
  it.each([
    null,
    undefined,
    "text",
    7,
    [],
    {},
    { channelId: "order" },
    { channelId: "order", type: "x" },
    { channelId: "order", type: 1, payload: {} },
    { channelId: "order", type: "x", payload: null },
  ])("drops %j, which is no message", (data) => {
    const heard = vi.fn();
    const stop = onMessage("order", heard);
    dispatch(data);
    stop();
    expect(heard).not.toHaveBeenCalled();
  });

  // Spec: LIVE-8, LIVE-18
  it("ignores channels nobody listens to", () =>
    expect(() => dispatch({ channelId: "avatar-pack-claim", type: "claimed", payload: {} })).not.toThrow());
});
