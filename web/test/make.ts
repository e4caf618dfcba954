import { type Cart, type CartItem, cartOf } from "~/features/cart/holds";
import type { Item, Listing } from "~/features/market/queries";
import { type Profile, session } from "~/features/session/store";
import type { components } from "~/lib/api/schema.gen";

/** Values for tests. Each function takes the fields that matter to the test and fills in the rest. */

export const contract = "0x00000000000000000000000000000000000000A1";

export function profile(some: Partial<Profile> = {}): Profile {
  return {
    AccountInfo: { PlayFabId: "00000000000000A1", TitleInfo: { DisplayName: "Ianthe" }, PrivateInfo: { Email: "ianthe@example.com" } },
    userVerifiedWallet: null,
    embeddedWalletAddress: null,
    smartWalletAddress: null,
    enableEmbeddedInCorpSite: false,
    emailConfirmed: true,
    holderKey: "00a1",
    ...some,
  } as Profile;
}

export function signedIn(some: Partial<Profile> = {}): Profile {
  const p = profile(some);
  session.set({ isAuthenticated: true, isLoading: false, profile: p });
  return p;
}

type Hold = components["schemas"]["CartDocument"];

export function hold(some: Partial<Hold> = {}): Hold {
  return {
    playFabId: "tag-of-another",
    listingId: "1",
    assetContractAddress: contract,
    index: 0,
    updatedAt: "2026-11-20T10:00:00.000Z",
    expiresAt: "2026-11-20T10:10:00.000Z",
    ...some,
  };
}

export function listing(some: Partial<Listing> = {}): Listing {
  const listingId = some.listingId ?? "1";
  return {
    _id: `1337042-${listingId}`,
    listingId,
    assetContractAddress: contract,
    tokenId: listingId,
    index: 0,
    createdAt: "2026-11-20T09:00:00.000Z",
    updatedAt: "2026-11-20T10:00:00.000Z",
    version: 1,
    inCartItems: [],
    seller: "0x00000000000000000000000000000000000000f1",
    quantity: 1,
    currency: "0x00000000000000000000000000000000000000c1",
    pricePerToken: "12500000",
    price: "12.5",
    startTimestamp: 0,
    endTimestamp: 4_000_000_000,
    isInvalid: false,
    metadata: { name: `Blade ${listingId}`, image: "/x.svg", rarity: "rare", collection: "game-items", kind: "sword", attributes: [] },
    ...some,
  };
}

/** A token without owners, listings and sales. */
export function item(some: Partial<Item> = {}): Item {
  return {
    contract,
    tokenId: "1",
    metadata: listing().metadata,
    description: "Drawn at noon it casts no shadow.",
    use: "A weapon for King of Destiny.",
    byContract: false,
    owners: [],
    listings: [],
    sales: [],
    names: {},
    ...some,
  };
}

export function cartItem(some: Partial<CartItem> = {}): CartItem {
  const of = some.listing ?? listing(some.listingId ? { listingId: some.listingId } : {});
  return { ...hold({ playFabId: "00000000000000A1" }), listingId: of.listingId, priceWhenHeld: of.price, listing: of, ...some };
}

export function cart(...items: CartItem[]): Cart {
  return cartOf(items);
}

type Config = components["schemas"]["ClientConfig"];

/** A valid configuration; sections are completed field by field. */
export function clientConfig(some: { [K in keyof Config]?: Config[K] extends object ? Partial<Config[K]> : Config[K] } = {}): Config & {
  contracts: Required<Config["contracts"]>;
} {
  const chain = {
    id: 1337042,
    name: "Game",
    pollInterval: 50,
    entryPoint: "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
    accountFactory: `0x${"fa".repeat(20)}`,
    accountImplementation: `0x${"1a".repeat(20)}`,
  };
  const contracts = Object.fromEntries(
    [
      ["marketplace", "piggyCollection", "avatarCollection", "seasonAvatarsCollection", "managerBackendWallet", "claimerBackendWallet"],
      ["gasRelayerBackendWallet", "usdc", "god", "piggySoulboundCollection", "gameItems", "elderGods", "chests"],
    ]
      .flat()
      .map((name, i) => [name, `0x${String(i + 10).repeat(20)}`]),
  ) as unknown as Required<Config["contracts"]>;
  Object.assign(contracts, some.contracts);
  return {
    environment: some.environment ?? "test",
    clientId: some.clientId ?? "embedded-wallet",
    passkeyDomain: "localhost",
    signInWithX: some.signInWithX ?? false,
    passwordByMail: some.passwordByMail ?? false,
    faucet: some.faucet ?? false,
    mailbox: some.mailbox ?? false,
    gameChain: { ...chain, ...some.gameChain },
    mainChain: { ...chain, id: 1337137, name: "Main", ...some.mainChain },
    contracts,
    claimerBackendWallets: [contracts.claimerBackendWallet],
    collections: {
      "game-items": contracts.gameItems,
      avatars: contracts.avatarCollection,
      "season-avatars": contracts.seasonAvatarsCollection,
      "piggy-banks": contracts.piggyCollection,
      "piggy-soulbound": contracts.piggySoulboundCollection,
      "elder-gods": contracts.elderGods,
      chests: contracts.chests,
      immortals: `0x${"a1".repeat(20)}`,
      "passes-community": `0x${"a2".repeat(20)}`,
      "passes-ultimate": `0x${"a3".repeat(20)}`,
      arks: `0x${"a4".repeat(20)}`,
      "power-packs": `0x${"a5".repeat(20)}`,
      ...some.collections,
    } as Config["collections"],
    currency: { address: contracts.usdc, symbol: "USDC", decimals: 6, ...some.currency },
    listings: { minPrice: "0.01", atOnce: 20, live: 500, ...some.listings },
    monitoring: { active: false, ...some.monitoring },
  };
}

/** The server's metadata of a chain. */
export function chainMetadataOf(chainId: number): components["schemas"]["ChainMetadata"] {
  return {
    chainId,
    name: "Game",
    slug: "game",
    testnet: true,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpc: [`/api/proxy/rpc/${chainId}`],
    explorers: [{ name: "Game", url: "https://explorer.example" }],
  };
}

/** A JWT without a signature, with the given claims. */
export function jwt(claims: object): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${part({ alg: "none" })}.${part(claims)}.x`;
}

type Reward = components["schemas"]["Reward"];

const stepTimes = {
  burned: "2026-11-20T10:00:00.000Z",
  settled: "2026-11-20T10:00:12.000Z",
  sending: "2026-11-20T10:00:13.000Z",
  done: "2026-11-20T10:00:14.000Z",
};

/** A reward by piggy banks with the steps of its state; those ahead are expected at the end of time. */
export function reward(some: Partial<Reward> = {}): Reward {
  const { state = "done" } = some;
  const names = Object.keys(stepTimes) as (keyof typeof stepTimes)[];
  const reached = state === "failed" ? names.indexOf("settled") : names.indexOf(state as "done");
  const steps = names.flatMap((step, index): Reward["steps"] => {
    if (index <= reached) return [{ step, at: stepTimes[step] }];
    return state === "failed" ? [] : [{ step, expected: "2100-01-01T00:00:00.000Z" }];
  });
  const known = state !== "burned";
  return {
    id: known ? "burn-1" : "",
    origin: "piggy-bank",
    state,
    message: "",
    txId: `0x${"7a".repeat(32)}`,
    tokenId: "1",
    amount: 1,
    fateAmount: known ? 50 : 0,
    isVipPiggy: false,
    grants: known ? [{ kind: "currency", state: state === "done" ? "done" : "pending", currency: "fa", amount: "50" }] : [],
    steps,
    ...some,
  };
}

type Product = components["schemas"]["PackProduct"];

/** The packs' contract. */
export const chests = `0x${"ce".repeat(20)}`;

/** A kind of pack: general, of which 10 are for sale. */
export function product(some: Partial<Product> = {}): Product {
  return {
    productId: "1",
    kind: "general",
    name: "General pack",
    image: "/chest.svg",
    contract: chests,
    available: 10,
    editions: [{ edition: 1, tokenId: some.productId ?? "1", available: some.available ?? 10, hash: "00" }],
    rarities: [
      { rarity: "common", promised: 0.92, effective: 0.9014, now: 0.9014 },
      { rarity: "epic", promised: 0.06, effective: 0.07395, now: 0.07395 },
      { rarity: "legendary", promised: 0.02, effective: 0.02465, now: 0.02465 },
    ],
    offer: { _id: "1337042-7", listingId: "7", tokenId: some.productId ?? "1", quantity: 10, price: "15", pricePerToken: "15000000" },
    odds: {
      kind: "general",
      edition: 1,
      token: "1",
      hash: "00",
      total: 1000,
      onSale: true,
      pity: { after: 19, rarity: "epic" },
      drops: [
        { id: "knife", name: "Knife", rarity: "common", weight: 920, gives: [], image: "" },
        { id: "blade", name: "Blade", rarity: "epic", weight: 60, gives: [], image: "" },
        { id: "crown", name: "Crown", rarity: "mythic", weight: 20, gives: [], image: "" },
      ],
    },
    ...some,
  };
}

/** The reward of an opened pack: a game item, or nothing before the draw. */
export function opened(
  number: number,
  some: { state?: Reward["state"]; txId?: string; tokenId?: string; name?: string; message?: string } = {},
): Reward {
  const { state = "done", txId = `0x${"7a".repeat(32)}`, tokenId = String(number), name = `Relic ${tokenId}`, message = "" } = some;
  const openingId = `1337042-${txId}-0-${number}`;
  const isDrawn = state === "drawn" || state === "sending" || state === "done";
  const at = "2026-11-20T10:00:00.000Z";
  return {
    id: openingId,
    origin: "pack",
    state,
    message,
    chainId: 1337042,
    txId,
    tokenId: "1",
    amount: 1,
    fateAmount: 0,
    isVipPiggy: false,
    grants: isDrawn
      ? [
          {
            kind: "token",
            state: state === "done" ? "done" : "pending",
            contract,
            tokenId,
            name,
            image: "/relic.svg",
            rarity: "rare",
            amount: "1",
          },
        ]
      : [],
    opening: {
      openingId,
      kind: "general",
      packLevel: "General",
      round: 4242,
      roundAt: at,
      ...(isDrawn && {
        drop: "relic",
        name,
        rarity: "rare",
        itemDropped: { contract, tokenId, name, image: "/relic.svg", rarity: "rare" },
      }),
    },
    steps: [
      { step: "burned", at },
      { step: "settled", at },
      { step: "drawn", ...(isDrawn ? { at } : { expected: at }) },
      { step: "sending", expected: at },
      { step: "done", expected: at },
    ],
  };
}
