import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain } from "../../../test/wallet";
import { TradeApproval } from "./components/trade-approval";
import { approveTrades, askedTrades } from "./trades";

const god = `0x${"a1".repeat(20)}`;
const calls = [{ to: god, value: "0", data: "0x01" }];

function Asked() {
  const asked = useStore(askedTrades, (s) => s.asked);
  return asked && <TradeApproval asked={asked} />;
}

/** Answers that the trades need an approval. Returns what the server receives. */
function answer() {
  const got = { asked: undefined as unknown, codes: [] as unknown[], confirmed: [] as unknown[], id: "R1" };
  const approval = { kind: "trade", way: "code", sentTo: "z•••@olympus.example", expiresAt: "2026-11-27T12:00:00Z" };
  server.use(
    http.post("*/api/auth/marketplace/trades/approval", async ({ request }) => {
      got.asked = await request.json();
      return HttpResponse.json({
        needed: true,
        approval: { ...approval, approvalId: got.id },
        perDay: "25",
        trades: [
          { side: "sells", name: "Zeus", contract: god, tokenId: "7", quantity: 1, price: "1", reference: "90", risk: "89" },
          { side: "buys", name: "Shield", contract: god, tokenId: "8", quantity: 1, price: "2", risk: "0" },
        ],
      });
    }),
    http.post("*/api/auth/approvals/:id/confirm", async ({ request, params }) => {
      got.confirmed.push(params.id);
      const { code } = (await request.json()) as { code: string };
      got.codes.push(code);
      if (code === "12345678") return HttpResponse.json({ success: true, message: "" });
      return problem(400, "This code is wrong or too old.", {
        errors: [{ location: "body.code", message: "This code is wrong or too old." }],
      });
    }),
  );
  return got;
}

describe("trades far from usual prices", () => {
  beforeEach(() => {
    signedIn();
    answerWallet();
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createMemoryRouter([{ path: "*", element: <Asked /> }])} />
      </QueryClientProvider>,
    );
  });

  it("asks for the emailed code, says why, and goes on once it is right", async () => {
    const got = answer();
    const approved = approveTrades(calls);
    const dialog = await screen.findByRole("dialog", { name: "Is this you?" });
    expect(dialog).toHaveTextContent("Sell Zeus");
    expect(dialog).toHaveTextContent("Usual price90.00 USDC");
    expect(dialog).toHaveTextContent("z•••@olympus.example");
    expect(dialog).not.toHaveTextContent("Shield");
    expect(got.asked).toEqual({ chainId: chain, calls: [{ to: god, data: "0x01" }] });
    await userEvent.type(screen.getByLabelText("Code"), "87654321");
    await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("This code is wrong or too old.")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Code"));
    await userEvent.type(screen.getByLabelText("Code"), "1234 5678");
    await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
    await approved;
    expect(got.codes).toEqual(["87654321", "12345678"]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("sends nothing when the question is closed", async () => {
    answer();
    const approved = expect(approveTrades(calls)).rejects.toThrow("You did not confirm it, so nothing was sent.");
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    await approved;
  });

  it("an answer to a question that was closed leaves the next question open", async () => {
    answer();
    let letGo = () => {};
    server.use(
      http.post("*/api/auth/approvals/R1/confirm", async () => {
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
        return HttpResponse.json({ success: true, message: "" });
      }),
    );
    const first = expect(approveTrades(calls)).rejects.toThrow("You did not confirm it, so nothing was sent.");
    await userEvent.type(await screen.findByLabelText("Code"), "12345678{Enter}");
    await userEvent.keyboard("{Escape}");
    await first;
    const second = expect(approveTrades(calls)).rejects.toThrow("You did not confirm it, so nothing was sent.");
    await screen.findByRole("dialog");
    await act(async () => letGo());
    expect(screen.getByRole("dialog")).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    await second;
  });

  it("a question that takes the place of another is confirmed, and not the other", async () => {
    const got = answer();
    const first = expect(approveTrades(calls)).rejects.toThrow("You did not confirm it, so nothing was sent.");
    await screen.findByRole("dialog");
    got.id = "R2";
    const second = approveTrades(calls);
    await first;
    await userEvent.type(await screen.findByLabelText("Code"), "12345678{Enter}");
    await second;
    expect(got.confirmed).toEqual(["R2"]);
  });

  it("asks nothing when the trades are within the budget by now", async () => {
    server.use(http.post("*/api/auth/marketplace/trades/approval", () => HttpResponse.json({ needed: false, perDay: "25", trades: [] })));
    await approveTrades(calls);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
