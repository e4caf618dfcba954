import { configQuery } from "~/features/config/config";
import type { Listing } from "~/features/market/queries";
import type { Call } from "~/features/wallet/smart-wallet";
import { serverNow } from "~/lib/clock";
import { queryClient } from "~/lib/query";
import { createRpc } from "~/lib/rpc";

/** Selectors of the functions of MarketplaceV3's direct listings, and of EIP-721 and EIP-1155. */
const selectors = {
  /** createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool)) */
  create: "0x746415b5",
  /** updateListing(uint256,(address,uint256,uint256,address,uint256,uint128,uint128,bool)) */
  update: "0x07b67758",
  /** cancelListing(uint256) */
  cancel: "0x305a67a8",
  /** setApprovalForAll(address,bool) */
  approve: "0xa22cb465",
  /** isApprovedForAll(address,address) */
  approved: "0xe985e9c5",
} as const;

/**
 * The chain's clock may be behind: a listing begins a minute ago. The marketplace then lets it begin with its block, for
 * as long as was meant.
 */
const lead = 60;

/** Something to be listed. */
export interface Offer {
  contract: string;
  tokenId: string;
  /** At least 1. */
  count: number;
  /** Of one, in base units of the market's currency; at least 1. */
  price: bigint;
}

const word = (value: bigint) => value.toString(16).padStart(64, "0");

interface Terms extends Offer {
  currency: string;
  /** In seconds since 1970. */
  start: number;
  end: number;
}

/** The eight words of a listing's parameters; it is open to everybody. */
function parameters({ contract, tokenId, count, currency, price, start, end }: Terms): string {
  return [BigInt(contract), BigInt(tokenId), BigInt(count), BigInt(currency), price, BigInt(start), BigInt(end), 0n].map(word).join("");
}

const call = (to: string, data: string): Call => ({ to, value: "0", data });

/** The contracts whose tokens the marketplace may not take from the owner yet. */
async function unapproved(owner: string, contracts: string[]): Promise<string[]> {
  const { gameChain, contracts: ours } = await queryClient.fetchQuery(configQuery);
  const rpc = createRpc({ url: `/api/proxy/rpc/${gameChain.id}` });
  const data = selectors.approved + word(BigInt(owner)) + word(BigInt(ours.marketplace));
  const answers = await Promise.all(contracts.map((to) => rpc.request<string>({ method: "eth_call", params: [{ to, data }, "latest"] })));
  return contracts.filter((_, i) => BigInt(answers[i] ?? "0x0") === 0n);
}

/** The calls that put offers on the market for `seconds`, with the approvals that are missing. */
export async function listCalls(owner: string, offers: Offer[], seconds: number): Promise<Call[]> {
  const { currency, contracts } = await queryClient.fetchQuery(configQuery);
  const missing = await unapproved(owner, [...new Set(offers.map(({ contract }) => contract))]);
  const start = Math.floor(serverNow() / 1000) - lead;
  return [
    ...missing.map((contract) => call(contract, selectors.approve + word(BigInt(contracts.marketplace)) + word(1n))),
    ...offers.map((offer) =>
      call(contracts.marketplace, selectors.create + parameters({ ...offer, currency: currency.address, start, end: start + seconds })),
    ),
  ];
}

/** The call that changes the price of a listing, in base units. */
export async function repriceCalls(listing: Listing, price: bigint): Promise<Call[]> {
  const { contracts } = await queryClient.fetchQuery(configQuery);
  const {
    listingId,
    assetContractAddress: contract,
    tokenId,
    quantity: count,
    currency,
    startTimestamp: start,
    endTimestamp: end,
  } = listing;
  return [
    call(
      contracts.marketplace,
      selectors.update + word(BigInt(listingId)) + parameters({ contract, tokenId, count, price, currency, start, end }),
    ),
  ];
}

/** The calls that end listings. */
export async function endCalls(listings: Pick<Listing, "listingId">[]): Promise<Call[]> {
  const { contracts } = await queryClient.fetchQuery(configQuery);
  return listings.map(({ listingId }) => call(contracts.marketplace, selectors.cancel + word(BigInt(listingId))));
}
