import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { queryClient } from "~/lib/query";
import { useConnectionNotice } from "./connection-notice";
import { connection } from "./store";

function Page() {
  useConnectionNotice();
  return <Toaster />;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const notices = () => within(screen.getByRole("region", { name: "Notices" }));
const move = (state: "Connected" | "Recovering") => act(() => connection.set({ state }));

beforeEach(() => {
  vi.useFakeTimers();
  connection.set({ state: "Connected", asked: 0 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the notice of a lost connection", () => {
  it("spares the player short losses, appears with a longer one, and goes when it is over", async () => {
    render(<Page />);
    move("Recovering");
    await pass(2_999);
    move("Connected");
    await pass(3_000);
    expect(notices().queryByText("Connection lost")).toBeNull();
    move("Recovering");
    await pass(3_000);
    expect(notices().getByText("What you see may be out of date.")).toBeInTheDocument();
    move("Connected");
    await pass(1000);
    expect(notices().queryByText("Connection lost")).toBeNull();
  });

  it("appears when the browser goes offline, which it knows before the connection does", async () => {
    render(<Page />);
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    act(() => void dispatchEvent(new Event("offline")));
    await pass(3_000);
    expect(notices().getByText("Connection lost")).toBeInTheDocument();
    online.mockReturnValue(true);
    act(() => void dispatchEvent(new Event("online")));
    await pass(1000);
    expect(notices().queryByText("Connection lost")).toBeNull();
  });

  it("reconnects and refetches at once when the player does not want to wait", async () => {
    const refetch = vi.spyOn(queryClient, "refetchQueries");
    render(<Page />);
    move("Recovering");
    await pass(3_000);
    act(() => notices().getByRole("button", { name: "Try now" }).click());
    expect(connection.get().asked).toBe(1);
    expect(refetch).toHaveBeenCalledWith({ type: "active" });
  });
});
