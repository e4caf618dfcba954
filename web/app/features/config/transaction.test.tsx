import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { queryClient } from "~/lib/query";
import { clientConfig } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { Transaction } from "./components/transaction";

const txHash = `0x${"7a".repeat(32)}`;

function open(props: Omit<Parameters<typeof Transaction>[0], "txHash">, ...explorers: (string | undefined)[]) {
  const [game, main] = explorers;
  const config = clientConfig();
  server.use(
    http.get("*/api/config", () =>
      HttpResponse.json({
        ...config,
        gameChain: { ...config.gameChain, ...(game ? { explorerUrl: game } : {}) },
        mainChain: { ...config.mainChain, ...(main ? { explorerUrl: main } : {}) },
      }),
    ),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <Transaction txHash={txHash} {...props} />
      <Toaster />
    </QueryClientProvider>,
  );
  return config;
}

it.each([
  ["the game chain's by default", () => ({}), "https://game.example"],
  ["that of its chain", () => ({ chainId: clientConfig().mainChain.id }), "https://main.example"],
  ["that of the chain of a contract", () => ({ contract: clientConfig().contracts.chests }), "https://game.example"],
  ["the main chain's for another contract", () => ({ contract: "0x00000000000000000000000000000000000000ff" }), "https://main.example"],
])("a transaction links to the explorer: %s", async (_, props, explorer) => {
  open(props(), "https://game.example", "https://main.example");
  expect(await screen.findByRole("link", { name: /^0x7a7a…7a7a/ })).toHaveAttribute("href", `${explorer}/tx/${txHash}`);
});

it("without an explorer it is copied whole, which is said", async () => {
  const user = userEvent.setup();
  open({});
  await user.click(await screen.findByRole("button", { name: /^Copy the transaction 0x7a7a…7a7a/ }));
  expect(await screen.findByText("Copied")).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(txHash);
  expect(screen.queryByRole("link")).toBeNull();
});

it("a browser that lets no page copy shows it whole", async () => {
  const user = userEvent.setup();
  open({});
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: () => Promise.reject(new Error("denied")) } });
  await user.click(await screen.findByRole("button", { name: /^Copy the transaction/ }));
  expect(await within(screen.getByRole("region", { name: "Notices" })).findByText(txHash)).toBeInTheDocument();
});
