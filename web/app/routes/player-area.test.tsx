import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { logout } from "~/features/session/machine";
import { wallet } from "~/features/wallet/store";
import { context } from "~/lib/api/context";
import { queryClient } from "~/lib/query";
import { signedIn } from "../../test/make";
import { HttpResponse, http, problem, server } from "../../test/server";
import { PlayerArea } from "./player-area";

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/pubSubAccessToken", () => problem(503, "Away.")),
    http.post("*/api/auth/protectedData", async ({ request }) => {
      const { value, action } = (await request.json()) as { value: string; action: string };
      return HttpResponse.json({ value: `${action}ed ${value}, asked by ${request.headers.get("x-wallet-address")}` });
    }),
  );
});

describe("a player's area", () => {
  it("names the wallet in every call as soon as it is known who is there, and has the id encrypted for the shop", async () => {
    render(
      <MemoryRouter>
        <PlayerArea loader={null}>Mine</PlayerArea>
      </MemoryRouter>,
    );
    act(() => void signedIn({ smartWalletAddress: "0x1" }));
    await vi.waitFor(() =>
      expect(queryClient.getQueryData(["profile", "encryptedFabId", "00000000000000A1"])).toBe("encrypted 00000000000000A1, asked by 0x1"),
    );
    await act(() => logout());
    expect(context.walletAddress).toBe("");
    expect(queryClient.getQueryData(["profile", "encryptedFabId", "00000000000000A1"])).toBeUndefined();
  });

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

  it("forgets them too when the session ends while another part of the site is open", async () => {
    signedIn();
    const { unmount } = render(
      <MemoryRouter>
        <PlayerArea loader={null}>Mine</PlayerArea>
      </MemoryRouter>,
    );
    queryClient.setQueryData(["currencies"], "mine");
    wallet.set({ status: "connected", smartAddress: "0x1" });
    unmount();
    await act(() => logout());
    expect(queryClient.getQueryData(["currencies"])).toBeUndefined();
    expect(wallet.get()).toEqual(wallet.initial);
  });
});
