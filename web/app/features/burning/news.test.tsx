import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as toasts from "~/components/ui/toasts";
import { dispatch } from "~/features/realtime/messages";
import { burns } from "./burn";
import { useBurnNews, useShown } from "./news";

const notify = vi.fn();
const txId = `0x${"7a".repeat(32)}`;

beforeEach(() => {
  notify.mockClear();
  vi.spyOn(toasts, "notify").mockImplementation(notify);
  burns.set({
    of: {
      "piggy-bank": { origin: "piggy-bank", chain: "gameChain", items: [], state: "burned", txId },
      ark: { origin: "ark", chain: "mainChain", items: [], state: "burned", txId },
    },
  });
});
afterEach(() => burns.set(burns.initial));

const bank = (some: object = {}) =>
  act(() =>
    dispatch({ channelId: "piggy-bank", type: "burn", payload: { txId, success: true, fateAmount: 250, isVipPiggy: true, ...some } }),
  );

describe("a result of a burn", () => {
  it("is notified while the player is on another page", () => {
    renderHook(useBurnNews);
    bank();
    expect(notify).toHaveBeenLastCalledWith("success", "From your piggy bank: 250 fate.");
    act(() => dispatch({ channelId: "ark", type: txId, payload: { txId, success: true, rewards: { gt: 9, d0: 12 } } }));
    expect(notify).toHaveBeenLastCalledWith("success", "From your ark: 12 Deckhands, 9 Gate tokens.");
    bank({ success: false, fateAmount: 0 });
    expect(notify).toHaveBeenLastCalledWith("error", "What your piggy bank held could not be given. We are looking into it.");
  });

  it("is not notified where it is shown, and is again when that is left", () => {
    renderHook(useBurnNews);
    const page = renderHook(() => useShown("piggy-bank"));
    bank();
    expect(notify).not.toHaveBeenCalled();
    page.unmount();
    bank();
    expect(notify).toHaveBeenCalledOnce();
  });

  it("of another tab's burn is not notified", () => {
    renderHook(useBurnNews);
    bank({ txId: "0xother" });
    expect(notify).not.toHaveBeenCalled();
  });
});
