import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { queryClient } from "~/lib/query";
import { useStatusNotice } from "./use-status-notice";

function Page() {
  useStatusNotice();
  return <Toaster />;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const notices = () => within(screen.getByRole("region", { name: "Notices" }));
const trading = "There is a problem with the game's blockchain. Buying and selling may not go through at the moment.";

let impaired: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.clear();
  vi.stubGlobal("fetch", async () => Response.json({ impaired }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the notice of what is impaired", () => {
  it("says what does not work, within half a minute, and goes when it works again", async () => {
    impaired = [];
    render(
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>,
    );
    await pass(1_000);
    expect(notices().queryByText("Some things do not work just now")).toBeNull();
    // The page itself shows that it is not live, and a server may know features this page does not.
    impaired = ["live", "teleport", "trading"];
    await pass(30_000);
    expect(notices().getByText(trading)).toBeInTheDocument();
    expect(notices().queryByText(/teleport/)).toBeNull();
    impaired = [];
    await pass(30_000);
    await pass(1_000); // it fades
    expect(notices().queryByText(trading)).toBeNull();
  });
});
