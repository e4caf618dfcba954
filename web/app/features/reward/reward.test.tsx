import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dispatch } from "~/features/realtime/messages";
import { queryClient } from "~/lib/query";
import { reward } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { addUp, amountsIn, inOrder } from "./amounts";
import { amountsText } from "./components/amounts";
import { OpenRewards } from "./components/open-rewards";
import { RewardTimeline } from "./components/reward-timeline";
import { type Reward, useLiveRewards, useRewards } from "./queries";

const txId = `0x${"7a".repeat(32)}`;

let items: Reward[];
let asked: URLSearchParams[];

beforeEach(() => {
  items = [];
  asked = [];
  server.use(
    http.get("*/api/auth/rewards", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items });
    }),
  );
});
afterEach(() => void vi.useRealTimers());

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
const moved = (state: string) =>
  act(() => dispatch({ channelId: "reward", type: "update", payload: { id: "burn-1", origin: "ark", state, txId } }));

describe("the rewards of a transaction", () => {
  // Spec: BURN-6
  it("are asked for by origin and transaction", async () => {
    items = [reward()];
    const { result } = renderHook(() => useRewards({ origin: "ark", txId: txId.toUpperCase().replace("X", "x") }), { wrapper });
    await waitFor(() => expect(result.current.data).toEqual(items));
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ origin: "ark", txId });
  });

  it("are asked for again until all are over, and then no more", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { result } = renderHook(() => useRewards({ origin: "ark", txId }), { wrapper });
    await waitFor(() => expect(result.current.data).toEqual([]));
    items = [reward({ state: "sending" }), reward()];
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(result.current.data).toHaveLength(2));
    items = [reward({ state: "failed" }), reward()];
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(result.current.data?.[0]?.state).toBe("failed"));
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(before);
  });

  // Spec: LIVE-27
  it("are asked for again as soon as the server tells of a change, and the currencies when one has arrived", async () => {
    queryClient.setQueryData(["holdings", "currencies"], {});
    const { result } = renderHook(
      () => {
        useLiveRewards();
        return useRewards({ origin: "ark" });
      },
      { wrapper },
    );
    await waitFor(() => expect(result.current.data).toEqual([]));
    items = [reward({ state: "sending" })];
    moved("sending");
    await waitFor(() => expect(result.current.data).toHaveLength(1));
    const stale = () => queryClient.getQueryState(["holdings", "currencies"])?.isInvalidated;
    expect(stale()).toBe(false);
    moved("done");
    expect(stale()).toBe(true);
  });
});

describe("the timeline of a reward", () => {
  const lines = () => screen.getAllByRole("listitem");

  it("has the time of what happened, and when the rest is expected", () => {
    vi.useFakeTimers();
    vi.setSystemTime("2026-11-20T10:00:05.000Z");
    render(
      <RewardTimeline
        reward={reward({
          steps: [
            { step: "burned", at: "2026-11-20T10:00:00.000Z" },
            { step: "settled", expected: "2026-11-20T10:00:17.000Z" },
            { step: "sending", expected: "2026-11-20T10:00:05.000Z" },
            { step: "done" },
          ],
          state: "burned",
        })}
      />,
    );
    expect(lines().map((line) => line.textContent)).toEqual([
      expect.stringMatching(/^Burned\d/),
      "Final on the chainin about 0:12",
      "On its wayany moment now",
      "Yours",
    ]);
    expect(lines()[1]).toHaveAttribute("aria-current", "step");
    act(() => void vi.advanceTimersByTime(2_000));
    expect(lines()[1]).toHaveTextContent("in about 0:10");
  });

  it("has no time that is later than the next one: the block's clock may be ahead", () => {
    render(
      <RewardTimeline
        reward={reward({
          steps: [
            { step: "burned", at: "2026-11-20T10:00:02.000Z" },
            { step: "settled", at: "2026-11-20T10:00:01.000Z" },
          ],
        })}
      />,
    );
    const [burned, settled] = lines().map((line) => line.querySelector("time")?.textContent);
    expect(burned).toBe(settled);
  });

  it("is read aloud by its steps, and not every second", () => {
    const { rerender } = render(<RewardTimeline reward={reward({ state: "burned" })} />);
    expect(screen.getByRole("status")).toHaveTextContent("Burned. Next: Final on the chain.");
    rerender(<RewardTimeline reward={reward({ state: "sending" })} />);
    expect(screen.getByRole("status")).toHaveTextContent("On its way. Next: Yours.");
    rerender(<RewardTimeline reward={reward()} />);
    expect(screen.getByRole("status").textContent).toBe("Yours.");
    for (const timer of screen.queryAllByRole("timer")) expect(timer).toHaveAttribute("aria-live", "off");
  });

  it.each([
    ["in the server's words", "The mint was refused.", "The mint was refused."],
    ["in words of its own without", "", "This could not be given. We are looking into it."],
  ])("of one that failed says why, %s", (_, message, words) => {
    render(<RewardTimeline reward={reward({ state: "failed", message })} />);
    expect(screen.getByRole("status")).toHaveTextContent(words);
    expect(lines().map((line) => within(line).queryByText("Yours"))).toEqual([null, null]);
    expect(document.querySelector("[aria-current]")).toBeNull();
  });
});

describe("rewards that are on their way", () => {
  it("are shown with their timelines, without those that are over or shown elsewhere", async () => {
    items = [
      reward({ state: "sending", tokenId: "1" }),
      reward({ state: "burned", tokenId: "2", txId: "0xother" }),
      reward({ tokenId: "3", txId: "0xdone" }),
    ];
    render(<OpenRewards origin="ark" except={txId.toUpperCase()} title={({ tokenId }) => `Ark ${tokenId}`} />, { wrapper });
    expect(await screen.findByRole("heading", { name: "Ark 2" })).toBeInTheDocument();
    expect(screen.getAllByRole("heading")).toHaveLength(1);
  });
});

describe("amounts", () => {
  it("are added up, each as often as it counts", () => {
    expect(
      addUp([
        { of: { d0: 12, gt: 9 }, count: 2 },
        { of: { gt: 1 }, count: 1 },
      ]),
    ).toEqual({ d0: 24, gt: 19 });
  });

  it("of rewards are the currencies in all that did not fail", () => {
    const token = { kind: "token" as const, state: "done" as const, tokenId: "7", amount: "1" };
    expect(amountsIn([reward(), reward({ state: "sending" }), reward({ state: "failed" }), reward({ grants: [token] })])).toEqual({
      fa: 100,
    });
  });

  it("stand in the order of the purses, and none is 0", () => {
    expect(inOrder({ fa: 1, ct: 2, d0: 3, ig: 4, nt: 0 }).map(([code]) => code)).toEqual(["d0", "ct", "ig", "fa"]);
    expect(amountsText({ gt: 1, d0: 1_200, fa: 50 })).toBe("1,200 Deckhands, 1 Gate token, 50 fate");
  });
});
