import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { logout } from "~/features/session/machine";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { signedIn } from "../../test/make";
import { http, problem, server } from "../../test/server";
import { PlayerArea } from "./player-area";

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(http.get("*/api/auth/pubSubAccessToken", () => problem(503, "Away.")));
});

describe("a player's area", () => {
  it("forgets wallet, totals and answers when the session ends, whichever page is open", async () => {
    signedIn();
    render(
      <MemoryRouter>
        <PlayerArea loader={null}>Mine</PlayerArea>
      </MemoryRouter>,
    );
    expect(screen.getByText("Mine")).toBeInTheDocument();
    wallet.set({ status: "connected", smartAddress: "0x1", totals: { of: "0x1", usdcCachedTotal: "5.0000", godTotal: "0.00" } });
    queryClient.setQueryData(["holdings", "listArks"], "mine");
    await act(() => logout());
    expect(wallet.get()).toEqual(wallet.initial);
    expect(queryClient.getQueryData(["holdings", "listArks"])).toBeUndefined();
  });
});
