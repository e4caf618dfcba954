import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { Field } from "~/components/ui/field";
import { More } from "~/components/ui/more";
import { type Holding, holdingsQuery, type List } from "~/features/holdings/queries";
import { short } from "~/lib/format";
import { kinds } from "~/lib/registry";
import { isSameAddress, tokenKey } from "~/lib/token";
import type { Money } from "../queries";

/** An item that the player wants to send. */
export interface Picked {
  chainId: number;
  contract: string;
  tokenId: string;
  /** How many, as typed. */
  amount: string;
  /** How many there are. */
  has: string;
}

interface ItemsProps {
  money: Money;
  picked: Record<string, Picked>;
  onPick: (key: string, picked: Picked | undefined) => void;
  /** What is wrong with an item, by its key. */
  errors: Record<string, string>;
  /** The item that the page's address asks for; "" for none. */
  wanted: string;
}

function Row({
  holding,
  chainId,
  picked,
  onPick,
  error,
}: { holding: Holding; chainId: number; picked: Picked | undefined; error: string | undefined } & Pick<ItemsProps, "onPick">) {
  const { contract, tokenId, amount: has, metadata } = holding;
  const key = tokenKey(holding);
  const name = metadata.name || `Token ${short(tokenId)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3 border-t border-line py-2">
      <label className="flex min-h-14 min-w-0 flex-1 cursor-pointer items-center gap-4">
        <input
          type="checkbox"
          checked={picked !== undefined}
          data-field={key}
          aria-invalid={error && has === "1" ? true : undefined}
          onChange={({ target }) => onPick(key, target.checked ? { chainId, contract, tokenId, amount: "1", has } : undefined)}
          className="size-5 shrink-0 accent-ember"
        />
        <img
          src={metadata.image}
          alt=""
          width={42}
          height={56}
          loading="lazy"
          decoding="async"
          className="h-14 w-[2.625rem] shrink-0 rounded object-cover"
        />
        <span className="min-w-0 break-words">
          {name}
          {has !== "1" && <span className="text-bone-muted"> · you have {has}</span>}
        </span>
      </label>
      {picked && has !== "1" && (
        <div className="flex items-end gap-3">
          <Field
            label={`How many ${name}`}
            data-field={key}
            inputMode="numeric"
            autoComplete="off"
            value={picked.amount}
            error={error}
            onChange={({ target }) => onPick(key, { ...picked, amount: target.value })}
            className="figures w-36 [&_label]:sr-only"
          />
          <Button kind="quiet" aria-label={`All ${has} of ${name}`} onClick={() => onPick(key, { ...picked, amount: has })}>
            All
          </Button>
        </div>
      )}
      {error && has === "1" && <p className="w-full text-sm text-bad">{error}</p>}
    </li>
  );
}

function Kind({ list, title, money, picked, onPick, errors, wanted }: { list: List; title: string } & ItemsProps) {
  const query = useInfiniteQuery(holdingsQuery(list));
  const { data, error, refetch, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const all = data?.pages.flatMap((page): Holding[] => page.items) ?? [];
  const chainOf = (holding: Holding) => money.sendable.find(({ contract }) => isSameAddress(contract, holding.contract))?.chainId;
  const items = all.filter((holding) => holding.wallet === "smart" && chainOf(holding) !== undefined);
  const found = items.find((holding) => tokenKey(holding) === wanted);
  const searching = wanted !== "" && !found && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (searching) void fetchNextPage();
  }, [searching, fetchNextPage]);
  const chainId = found && chainOf(found);
  // The item that the page's address names is picked once, so that the player can put it back.
  const preselected = useRef(false);
  useEffect(() => {
    if (preselected.current || !found || chainId === undefined) return;
    preselected.current = true;
    onPick(wanted, { chainId, contract: found.contract, tokenId: found.tokenId, amount: "1", has: found.amount });
  }, [found, chainId, wanted, onPick]);
  if (!data && error) return <FailedLine onRetry={refetch}>{title} did not load.</FailedLine>;
  if (!items.length) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="caption mb-2 text-bronze">{title}</legend>
      <ul className="border-b border-line">
        {items.map((holding) => (
          <Row
            key={tokenKey(holding)}
            holding={holding}
            chainId={chainOf(holding) ?? 0}
            picked={picked[tokenKey(holding)]}
            onPick={onPick}
            error={errors[tokenKey(holding)]}
          />
        ))}
      </ul>
      <More query={query} className="mt-3" />
    </fieldset>
  );
}

/** The items in the player's smart wallet that can leave it, to choose from. */
export function Items(props: ItemsProps) {
  return (
    <div className="grid gap-6">
      {kinds.map(({ list, title }) => (
        <Kind key={list} list={list} title={title} {...props} />
      ))}
      <p className="text-sm text-bone-muted">
        What is bound to your account, what you do not have in this wallet, and what is in your own wallet is not shown.
      </p>
    </div>
  );
}
