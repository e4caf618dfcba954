import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { clientConfig, signedIn } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { type Balance, balanceKey, useBalance, useTotals } from "./balance";
import { wallet } from "./store";

const address = (digit: string) => `0x${digit.repeat(40)}`;
const anna = address("1");
const ben = address("2");
const usdc = address("c");
const god = address("d");

/** The balances on chain, in base units, by wallet and contract. */
let chain: Record<string, string>;
/** The number of requests to the chain. */
let asked: number;
/** Responses to requests from now on wait for this. */
let gate: Promise<void>;

interface Call {
  id: number;
  params: [{ to: string; data: string }, string];
}

beforeEach(() => {
  wallet.set(wallet.initial);
  signedIn({ smartWalletAddress: anna });
  chain = {};
  asked = 0;
  gate = Promise.resolve();
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig({ currency: { address: usdc }, contracts: { god } }))),
    http.post("*/api/proxy/rpc/1337042", async ({ request }) => {
      asked++;
      const opened = gate;
      const answer = ((await request.json()) as Call[]).map(({ id, params: [{ to, data }] }) => {
        const units = chain[`0x${data.slice(-40)} ${to}`] ?? "0";
        return { jsonrpc: "2.0", id, result: `0x${BigInt(units).toString(16).padStart(64, "0")}` };
      });
      await opened;
      return HttpResponse.json(answer);
    }),
  );
});

/** Sets a wallet's balances, in whole units. */
function give(to: string, money: number, gods = 0) {
  chain[`${to} ${usdc}`] = String(money * 1_000_000);
  chain[`${to} ${god}`] = `${gods * 1_000_000}${"0".repeat(12)}`;
}

function Purse() {
  const totals = useTotals();
  const payable = useBalance();
  return <p>{totals ? `${totals.usdcCachedTotal} USDC, ${totals.godTotal} GOD, pays ${payable}` : "not known"}</p>;
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Purse />
    </QueryClientProvider>,
  );

/**
 * Has Anna's balance of 500 USDC refetched. Returns a function that releases the response and waits until it was
 * processed.
 */
async function refetchSlowly() {
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const options = queryClient.getQueryCache().find({ queryKey: [...balanceKey, anna] })?.options as { queryFn: () => Promise<Balance> };
  const load = vi.spyOn(options, "queryFn");
  const before = asked;
  act(() => void queryClient.refetchQueries({ queryKey: balanceKey }));
  await vi.waitFor(() => expect(asked).toBe(before + 1));
  gate = Promise.resolve();
  return () =>
    act(async () => {
      open();
      expect(await load.mock.results[0]?.value).toMatchObject({ usdc: "500" });
    });
}

const again = () => act(() => queryClient.invalidateQueries({ queryKey: balanceKey }));

describe("the totals", () => {
  // Spec: ITEM-3
  it("have four decimals, and are asked for in one request", async () => {
    give(anna, 500.12345, 2.5);
    show();
    expect(screen.getByText("not known")).toBeInTheDocument();
    expect(await screen.findByText("500.1234 USDC, 2.5000 GOD, pays 500.12345")).toBeInTheDocument();
    expect(asked).toBe(1);
  });

  // Spec: ITEM-3
  it("are 0.00 while there was never anything", async () => {
    show();
    expect(await screen.findByText("0.00 USDC, 0.00 GOD, pays 0")).toBeInTheDocument();
  });

  it("are 0.00 for a player without a wallet, and unknown without a player", () => {
    session.set(session.initial);
    show();
    expect(screen.getByText("not known")).toBeInTheDocument();
    act(() => void signedIn({ smartWalletAddress: null }));
    expect(screen.getByText(/^0.00 USDC, 0.00 GOD/)).toBeInTheDocument();
    expect(asked).toBe(0);
  });

  // Spec: ITEM-3
  it("change only to values above 0, each by itself; what can be paid with is always what there is", async () => {
    give(anna, 500, 3);
    show();
    await screen.findByText("500.0000 USDC, 3.0000 GOD, pays 500");
    give(anna, 0, 4);
    await again();
    expect(await screen.findByText("500.0000 USDC, 4.0000 GOD, pays 0")).toBeInTheDocument();
    give(anna, 20, 0);
    await again();
    expect(await screen.findByText("20.0000 USDC, 4.0000 GOD, pays 20")).toBeInTheDocument();
  });

  it("are the newest, though an older answer comes later", async () => {
    give(anna, 500);
    show();
    await screen.findByText("500.0000 USDC, 0.00 GOD, pays 500");
    const answerLate = await refetchSlowly();
    give(anna, 20);
    act(() => void queryClient.refetchQueries({ queryKey: balanceKey })); // instead of the other
    await screen.findByText("20.0000 USDC, 0.00 GOD, pays 20");
    await answerLate();
    expect(screen.getByText("20.0000 USDC, 0.00 GOD, pays 20")).toBeInTheDocument();
  });

  it("of one player are not shown to the next", async () => {
    give(anna, 500, 3);
    show();
    await screen.findByText("500.0000 USDC, 3.0000 GOD, pays 500");
    act(() => void signedIn({ smartWalletAddress: ben }));
    expect(screen.getByText("not known")).toBeInTheDocument();
    expect(await screen.findByText("0.00 USDC, 0.00 GOD, pays 0")).toBeInTheDocument();
  });

  it("of one player that come late do not take the place of the next one's", async () => {
    give(anna, 500);
    give(ben, 7);
    show();
    await screen.findByText("500.0000 USDC, 0.00 GOD, pays 500");
    const answerLate = await refetchSlowly();
    act(() => void signedIn({ smartWalletAddress: ben }));
    await screen.findByText("7.0000 USDC, 0.00 GOD, pays 7");
    await answerLate();
    expect(screen.getByText("7.0000 USDC, 0.00 GOD, pays 7")).toBeInTheDocument();
  });
});
