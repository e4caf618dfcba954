import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { flags } from "~/features/flags/store";
import { HoldButton } from "~/features/market/components/listing-card";
import { dispatch } from "~/features/realtime/messages";
import { keepOutcomes, userKODPacks } from "~/features/realtime/outcomes";
import { queryClient } from "~/lib/query";
import { cart, cartItem, listing, product, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { PackShelf } from "./components/shelf";
import { usePackNews } from "./news";
import { chancesOf, kodProductsQuery, type Product } from "./products";

const general = product();
const god = product({ productId: "3", kind: "god", name: "God pack", available: 4 });
const avatar = product({ productId: "2", kind: "avatar", name: "Avatar pack" });
const { offer: _, ...unoffered } = avatar;

let products: Product[];
/** What the server says to the next requests for a unit; then it holds one. */
let refusals: (() => Response)[];
let held: string[];
let confirmed: string | undefined;
let refusal: string;
let stop: () => void;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn();
  stop = keepOutcomes();
  flags.set({ flags: { purchase: { enabled: true } }, loading: false, isFetched: true });
  [products, refusals, held, confirmed, refusal] = [[general, { ...unoffered, available: 0 }, god], [], [], undefined, ""];
  server.use(
    http.get("*/api/marketplace/getProducts", () => HttpResponse.json({ products })),
    http.get("*/api/auth/packs/buyer", () =>
      HttpResponse.json({ ...(confirmed && { ageConfirmedAt: confirmed }), ...(refusal && { refusal }) }),
    ),
    http.post("*/api/auth/packs/confirm-age", () => {
      confirmed = "2026-11-20T10:00:00.000Z";
      return HttpResponse.json({ ageConfirmedAt: confirmed });
    }),
    http.get("*/api/auth/marketplace/cart", () =>
      HttpResponse.json(cart(...held.map((listingId, index) => cartItem({ listing: listing({ listingId }), index })))),
    ),
    http.post("*/api/auth/marketplace/cart/addToCart", async ({ request }) => {
      const { newItem } = (await request.json()) as { newItem: { listingId: string } };
      const refused = refusals.shift();
      if (refused) return refused();
      held.push(newItem.listingId);
      return HttpResponse.json({ success: true });
    }),
  );
});

afterEach(() => {
  stop();
  userKODPacks.set(userKODPacks.initial);
  flags.set(flags.initial);
});

function show(element = <PackShelf />) {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        {element}
        <AgeDialog />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const kind = (name: string) => screen.findByRole("article", { name });
const tellLeft = (generalPacksRemaining: number, avatarPacksRemaining = 0, godPacksRemaining = 4) =>
  act(() =>
    dispatch({
      channelId: "kod-pack",
      type: "inventory-change",
      payload: { generalPacksRemaining, avatarPacksRemaining, godPacksRemaining },
    }),
  );
const unconfirmed = () => problem(409, "Please confirm that you are 18 or older.", { reason: "age-unconfirmed" });

describe("the shelf of packs", () => {
  // Spec: MARKET-3, PACK-3
  it("shows each kind with its price, what is left, and what to expect, and leads to the odds and the terms", async () => {
    show();
    const card = await kind("General pack");
    expect(card).toHaveTextContent("10 left");
    expect(card).toHaveTextContent("15.00 USDC");
    expect(card).toHaveTextContent("Epic or better8% · 9.86% effective");
    expect(card).toHaveTextContent("epic or better by pack 20");
    expect(screen.getByRole("link", { name: "All odds" })).toHaveAttribute("href", "/packs/odds");
    expect(screen.getByRole("link", { name: "Terms of use" })).toHaveAttribute("href", "/king-of-destiny/terms-and-conditions");
  });

  // Spec: PACK-3
  it("names the edition of the offer and others on the market, and leads to its odds", async () => {
    products = [product({ editions: [{ edition: 2, tokenId: "101", available: 3, hash: "11" }, ...general.editions] })];
    show();
    const card = await kind("General pack");
    expect(card).toHaveTextContent("Edition1");
    expect(card).toHaveTextContent("Edition 2 is on the market too.");
    expect(within(card).getByRole("link", { name: "1: its odds, and where they are fixed" })).toHaveAttribute("href", "/packs/odds");
  });

  it("says how many of a capped item are left", async () => {
    const odds = general.odds as NonNullable<Product["odds"]>;
    const caps = [
      { item: "elder-gods", most: 1000, given: 988, left: 12 },
      { item: "game-items/5", most: 1000, given: 1000, left: 0 },
    ];
    products = [product({ odds: { ...odds, caps } })];
    show();
    const card = await kind("General pack");
    expect(card).toHaveTextContent("Elder GodsOnly 12 of 1,000 left");
    expect(card).toHaveTextContent("Arms & relics 5None of 1,000 left");
  });

  // Spec: PACK-3
  it("says what is sold out", async () => {
    show();
    const card = await kind("Avatar pack");
    expect(card).toHaveTextContent("Sold out");
    expect(within(card).queryByRole("button")).toBeNull();
  });

  // Spec: LIVE-10, PACK-1, PACK-2
  it("follows messages downwards only; a load of the products sets the numbers", async () => {
    show();
    const card = await kind("General pack");
    tellLeft(9);
    expect(card).toHaveTextContent("9 left");
    tellLeft(12);
    expect(card).toHaveTextContent("9 left");
    tellLeft(0);
    expect(card).toHaveTextContent("Sold out");
    products = [{ ...general, available: 30 }, god];
    await act(() => queryClient.invalidateQueries(kodProductsQuery));
    expect(await kind("General pack")).toHaveTextContent("30 left");
  });

  // Spec: PACK-1, PACK-2
  it("heeds a message that arrives while the products load", async () => {
    const asked = vi.fn();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get("*/api/marketplace/getProducts", async () => {
        asked();
        await answered;
        return HttpResponse.json({ products: [general] });
      }),
    );
    const loaded = queryClient.fetchQuery(kodProductsQuery);
    await waitFor(() => expect(asked).toHaveBeenCalled());
    tellLeft(3);
    answer();
    await loaded;
    expect(userKODPacks.get().generalPacksAvailable).toBe(3);
  });

  // Spec: PACK-3
  it("says that the packs did not load, and loads them again", async () => {
    server.use(http.get("*/api/marketplace/getProducts", () => problem(403, "Not now."), { once: true }));
    show();
    await screen.findByText("The packs did not load");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await kind("General pack")).toBeInTheDocument();
  });

  it("says when there are none", async () => {
    products = [];
    show();
    expect(await screen.findByText("No packs")).toBeInTheDocument();
  });

  // Spec: PACK-3
  it.each([
    ["buying is switched off", () => flags.set({ flags: { purchase: { enabled: false } } }), /Buying is paused just now/],
    [
      "none are sold in the player's country",
      () => (refusal = "Packs are not sold in the country you seem to be in."),
      /not sold in the country/,
    ],
  ])("sells nothing while %s, and says so", async (_case, arrange, said) => {
    arrange();
    show();
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(within(await kind("General pack")).getByRole("button", { name: "Buy General pack" })).toBeDisabled();
  });
});

describe("buying packs", () => {
  // Spec: PACK-3
  it("holds as many as are chosen, five at most, and leads to the checkout", async () => {
    show();
    const card = within(await kind("General pack"));
    for (let i = 0; i < 4; i++) await userEvent.click(card.getByRole("button", { name: "One more" }));
    expect(card.getByRole("button", { name: "One more" })).toBeDisabled();
    await userEvent.click(card.getByRole("button", { name: "Buy 5 × General pack" }));
    expect(await card.findByText("5 in your cart")).toBeInTheDocument();
    expect(held).toEqual(["7", "7", "7", "7", "7"]);
    expect(screen.getByText("5 × General pack are held for you")).toBeInTheDocument();
    expect(card.getByRole("link", { name: "Go to checkout" })).toHaveAttribute("href", "/kod-marketplace/marketplace/checkout");
  });

  it("offers no more than are left", async () => {
    show();
    const card = within(await kind("God pack"));
    for (let i = 0; i < 3; i++) await userEvent.click(card.getByRole("button", { name: "One more" }));
    expect(card.getByRole("button", { name: "One more" })).toBeDisabled();
    tellLeft(10, 0, 2);
    expect(card.getByRole("button", { name: "Buy 2 × God pack" })).toBeInTheDocument();
  });

  // Spec: PACK-3
  it("says how many could be held when not all could", async () => {
    show();
    const card = within(await kind("General pack"));
    await userEvent.click(card.getByRole("button", { name: "One more" }));
    const taken = () => problem(409, "All of these are in other players' carts.", { reason: "held" });
    server.use(
      http.post("*/api/auth/marketplace/cart/addToCart", () => {
        if (held.push("7") === 1) return HttpResponse.json({ success: true });
        held.pop();
        return taken();
      }),
    );
    await userEvent.click(card.getByRole("button", { name: "Buy 2 × General pack" }));
    expect(await screen.findByText("Only 1 of 2 could be held")).toBeInTheDocument();
    expect(screen.getByText("All of these are in other players' carts.")).toBeInTheDocument();
  });
});

describe("the first purchase of a pack", () => {
  // Spec: PACK-6
  it("asks for the player's age, keeps it, and goes on", async () => {
    refusals = [unconfirmed];
    show();
    await userEvent.click(within(await kind("General pack")).getByRole("button", { name: "Buy General pack" }));
    const question = await screen.findByRole("dialog", { name: "Are you 18 or older?" });
    expect(held).toEqual([]);
    await userEvent.click(within(question).getByRole("button", { name: "I am 18 or older" }));
    await waitFor(() => expect(held).toEqual(["7"]));
    expect(confirmed).toBeDefined();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  // Spec: PACK-6
  it("does not happen if the player is younger", async () => {
    refusals = [unconfirmed];
    show();
    await userEvent.click(within(await kind("General pack")).getByRole("button", { name: "Buy General pack" }));
    await userEvent.click(await screen.findByRole("button", { name: "I am not" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect([held, confirmed]).toEqual([[], undefined]);
    expect(screen.getByText("Could not add item to cart")).toBeInTheDocument();
    expect(screen.getByText("Please confirm that you are 18 or older.")).toBeInTheDocument();
  });

  // Spec: PACK-6
  it("asks too when it is made at a listing", async () => {
    refusals = [unconfirmed];
    show(<HoldButton listing={listing({ listingId: "7" })} state={{ kind: "free", left: 1 }} />);
    await userEvent.click(screen.getByRole("button"));
    await userEvent.click(await screen.findByRole("button", { name: "I am 18 or older" }));
    await waitFor(() => expect(held).toEqual(["7"]));
  });

  it("says why the age could not be saved, and keeps asking", async () => {
    refusals = [unconfirmed];
    server.use(http.post("*/api/auth/packs/confirm-age", () => problem(503, "Not now.")));
    show();
    await userEvent.click(within(await kind("General pack")).getByRole("button", { name: "Buy General pack" }));
    await userEvent.click(await screen.findByRole("button", { name: "I am 18 or older" }));
    expect(await screen.findByText("Not now.")).toBeInTheDocument();
    expect(held).toEqual([]);
  });
});

function News({ elsewhere = true }) {
  usePackNews(elsewhere);
  return null;
}

describe("news of a purchase", () => {
  const tell = (success: boolean, errorMessage = "") =>
    act(() => dispatch({ channelId: "kod-pack", type: "purchase-complete", payload: { txId: "0x1", success, errorMessage } }));

  // Spec: LIVE-9
  it("leads to the packs", async () => {
    show(<News />);
    tell(true);
    const link = await screen.findByRole("link", { name: "Open them now" });
    expect(link).toHaveAttribute("href", "/kod-marketplace/packs");
    await userEvent.click(link);
    await waitFor(() => expect(screen.queryByRole("link", { name: "Open them now" })).toBeNull(), { timeout: 3_000 });
  });

  // Spec: LIVE-9
  it("says why it failed", async () => {
    show(<News />);
    tell(false, "Sold out.");
    expect(await screen.findByText("Your packs were not bought")).toBeInTheDocument();
    expect(screen.getByText("Sold out.")).toBeInTheDocument();
  });

  it("is not repeated at the checkout, which says it itself", () => {
    show(<News elsewhere={false} />);
    tell(true);
    expect(screen.queryByText(/Your packs have arrived/)).toBeNull();
  });
});

describe("the chance of a rarity", () => {
  it("is the share of it and of rarer ones", () => {
    const { rarities } = general;
    expect(chancesOf({ rarities }, "epic").promised).toBeCloseTo(0.08);
    expect(chancesOf({ rarities }, "legendary")).toEqual({ promised: 0.02, effective: 0.02465, now: 0.02465 });
    expect(chancesOf({ rarities }, "mythic")).toEqual({ promised: 0, effective: 0, now: 0 });
  });

  it("is told as it is now when something has run out, and alone without a guarantee", async () => {
    const { pity: _, ...odds } = general.odds as NonNullable<Product["odds"]>;
    const rarities = [{ rarity: "mythic", promised: 0.15, effective: 0.15, now: 0.05 }];
    products = [product({ odds, rarities })];
    show();
    expect(await kind("General pack")).toHaveTextContent("Epic or better15% · 5% now");
  });
});
