import { type ReactNode, useRef, useState } from "react";
import { Later } from "~/components/site/later";
import { Button, ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { Switched } from "~/features/flags/components/switched";
import { useFlag } from "~/features/flags/store";
import { amount, plural } from "~/lib/format";
import { useHeldPress } from "~/lib/held-press";
import { paths } from "~/lib/paths";
import { collectionOf, marketCurrency } from "~/lib/registry";
import { tokenKey } from "~/lib/token";
import { listCalls } from "../calls";
import { type Chosen, useChosenItems } from "../chosen";
import { deal, isUnderWay, putAway, useDeal } from "../deal";
import { durations } from "../durations";
import { useMostItems } from "../limits";
import { type Draft, isLoading, isReady, type Line, useLines } from "../lines";
import { useLiveSelling } from "../queries";
import { DealPanel } from "./deal-panel";
import { ItemSelect } from "./item-select";
import { PriceEntry, usdc } from "./price-entry";

const isSingle = (slug: string) => collectionOf(slug)?.standard === "ERC-721";

/** What others ask and have paid. */
function Market({ line: { floor, item } }: { line: Line }) {
  const sales = item?.sales.slice(0, 3) ?? [];
  return (
    <p className="figures flex flex-wrap gap-x-5 gap-y-1 text-sm text-bone-muted">
      <span>
        {floor ? (
          <>
            Lowest now <Price value={floor} />
          </>
        ) : (
          "Nobody else offers one now"
        )}
      </span>
      <span>
        {sales.length ? (
          <>
            Last sold at {sales.map(({ unitPrice }) => amount(unitPrice)).join(", ")} {marketCurrency.symbol}
          </>
        ) : (
          "Not sold yet"
        )}
      </span>
    </p>
  );
}

interface LineProps {
  line: Line;
  /** Whether what is wrong is shown. */
  shows: { price: boolean; count: boolean };
  onChange: (draft: Draft) => void;
  onLeave: (what: "price" | "count") => void;
  onRemove: () => void;
}

function SellLine({ line, shows, onChange, onLeave, onRemove }: LineProps) {
  const { chosen, item, draft, refusal, free, fees, feesFailed, wrong, warning, retry } = line;
  const name = item?.metadata.name ?? `Item ${chosen.tokenId}`;
  let body: ReactNode;
  if (line.error) body = <DidNotLoad what="This item" error={line.error} onRetry={retry} />;
  else if (!item || free === undefined) body = <Skeleton className="h-52" />;
  else if (refusal)
    body = (
      <p role="alert" className="text-bad">
        {refusal}{" "}
        {refusal.includes("listed") && (
          <TextLink to={paths.listings} className="inline-flex min-h-11 items-center">
            See your listings
          </TextLink>
        )}
      </p>
    );
  else
    body = (
      <div className="grid gap-4">
        <Market line={line} />
        {!isSingle(item.metadata.collection) && (
          <Field
            label={`How many, of ${free.toLocaleString("en")}`}
            inputMode="numeric"
            autoComplete="off"
            data-count
            value={draft.count}
            error={shows.count ? wrong.count : undefined}
            onChange={({ target }) => onChange({ ...draft, count: target.value })}
            onBlur={() => onLeave("count")}
            className="max-w-48"
          />
        )}
        <PriceEntry
          name={name}
          entry={draft}
          onChange={(entry) => onChange({ ...draft, ...entry })}
          onLeave={() => onLeave("price")}
          fees={fees}
          onRetry={feesFailed ? retry : undefined}
          priced={line.priced}
          error={shows.price ? wrong.price : undefined}
          warning={warning}
        />
      </div>
    );
  return (
    <li
      data-line={tokenKey(chosen)}
      className={
        "grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 gap-y-4 border-t border-line py-6 " + "sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-x-6"
      }
    >
      {item ? (
        <img
          src={item.metadata.image}
          alt=""
          width={600}
          height={800}
          className="w-full self-start rounded border border-line bg-night-1 sm:row-span-2"
        />
      ) : (
        <Skeleton className="aspect-[3/4] sm:row-span-2" />
      )}
      <div className="flex items-start justify-between gap-3">
        <h2 className="display min-w-0 text-2xl leading-none sm:text-3xl">{name}</h2>
        <Button kind="bare" size="small" className="-mt-2 h-11 shrink-0 text-bone-muted" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <div className="min-w-0 max-sm:col-span-2">{body}</div>
    </li>
  );
}

/** What of a line was left or sent, so that what is wrong with it is shown. */
type Seen = Record<string, { price?: boolean; count?: boolean }>;

const first = ({ count, price }: Chosen): Draft => ({ mode: "pays", text: price, count: count || "1" });

function Pricing({ chosen, onRemove, onSold }: { chosen: Chosen[]; onRemove: (item: Chosen) => void; onSold: (items: Chosen[]) => void }) {
  const [drafts, setDrafts] = useState<Record<string, Draft>>({});
  const [seen, setSeen] = useState<Seen>({});
  const [duration, setDuration] = useState<(typeof durations)[number]["value"]>("7");
  const form = useRef<HTMLFormElement>(null);
  const last = useDeal();
  const lines = useLines(chosen, (item) => drafts[tokenKey(item)] ?? first(item));
  const ready = lines.filter(isReady);
  const units = ready.reduce((sum, { count = 0 }) => sum + count, 0);
  const [pays, receives] = [
    ready.reduce((sum, { priced, count = 0 }) => sum + (priced?.price ?? 0n) * BigInt(count), 0n),
    ready.reduce((sum, { priced, count = 0 }) => sum + (priced?.split.receive ?? 0n) * BigInt(count), 0n),
  ];
  const complete = ready.length === lines.length;

  const list = useHeldPress(lines.some(isLoading), submit, JSON.stringify([chosen, drafts, duration]));
  function submit() {
    setSeen(Object.fromEntries(chosen.map((item) => [tokenKey(item), { price: true, count: true }])));
    const wrong = lines.find((line) => !isReady(line));
    if (wrong) {
      const place = form.current?.querySelector(`[data-line="${tokenKey(wrong.chosen)}"]`);
      const field = wrong.wrong.count ? "[data-count]" : "[data-price]";
      (place?.querySelector<HTMLElement>(field) ?? place?.querySelector("button"))?.focus();
      return;
    }
    const seconds = durations.find(({ value }) => value === duration)?.seconds ?? durations[0].seconds;
    const offers = lines.map(({ chosen: { contract, tokenId }, count = 0, priced }) => ({
      contract,
      tokenId,
      count,
      price: priced?.price ?? 0n,
    }));
    const things = lines.map(({ chosen: { contract, tokenId }, item, count = 0 }) => ({
      key: tokenKey({ contract, tokenId }),
      contract,
      tokenId,
      name: item?.metadata.name ?? "",
      image: item?.metadata.image ?? "",
      count,
    }));
    void deal("list", things, (owner) => listCalls(owner, offers, seconds)).then((done) => {
      if (done) onSold(chosen);
    });
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        list.press();
      }}
      className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1.65fr)_minmax(19rem,1fr)]"
    >
      <ul className="border-b border-line">
        {lines.map((line) => {
          const key = tokenKey(line.chosen);
          return (
            <SellLine
              key={key}
              line={line}
              shows={{ price: seen[key]?.price ?? false, count: seen[key]?.count ?? false }}
              onChange={(draft) => setDrafts((now) => ({ ...now, [key]: draft }))}
              onLeave={(what) => setSeen((now) => ({ ...now, [key]: { ...now[key], [what]: true } }))}
              onRemove={() => onRemove(line.chosen)}
            />
          );
        })}
      </ul>
      <div className="grid content-start gap-6 lg:sticky lg:top-24 lg:self-start">
        <fieldset>
          <legend className="caption mb-2 text-bone-muted">On the market for</legend>
          <div className="grid grid-cols-2 gap-2">
            {durations.map(({ value, label }) => (
              <label
                key={value}
                className={
                  "grid h-11 cursor-pointer place-items-center rounded border border-line-strong hover:border-bronze " +
                  "has-[:checked]:border-bone has-[:checked]:bg-night-3 has-[:focus-visible]:outline-2 " +
                  "has-[:focus-visible]:outline-ember-bright"
                }
              >
                <input
                  type="radio"
                  name="duration"
                  value={value}
                  checked={duration === value}
                  onChange={() => setDuration(value)}
                  className="sr-only"
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <dl className="grid gap-2 border-t border-line pt-5">
          <div className="flex items-baseline justify-between gap-4">
            <dt className="text-bone-muted">Buyers pay</dt>
            <dd className="figures">{complete ? `${usdc(pays)} ${marketCurrency.symbol}` : "–"}</dd>
          </div>
          <div className="flex items-baseline justify-between gap-4">
            <dt>You receive{units > 1 && ", up to"}</dt>
            <dd className="display figures text-3xl">{complete ? `${usdc(receives)} ${marketCurrency.symbol}` : "–"}</dd>
          </div>
        </dl>
        <Button type="submit" size="large" busy={list.held || isUnderWay(last)}>
          List {plural(lines.length, "item")}
        </Button>
        <p className="text-sm text-bone-muted">
          It costs no gas. What you list stays in your wallet until somebody buys it, and you can end a listing at any time. While somebody
          holds it in a cart, its price cannot rise.
        </p>
      </div>
    </form>
  );
}

/** Puts items of the player on the market. */
export function Sell() {
  useLiveSelling();
  const { chosen, toggle, remove } = useChosenItems();
  const most = useMostItems();
  const open = useFlag("listing");
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className="mx-auto min-h-svh max-w-[100rem] px-4 pt-12 sm:px-8 lg:pt-20">
      <header className="mb-10">
        <h1 className="display text-[clamp(3.25rem,8vw,7rem)]">Sell</h1>
        <p className="mt-4 max-w-xl text-bone-muted">
          Choose what to sell and say what it costs.{" "}
          <TextLink to={paths.listings} className="inline-flex min-h-11 items-center">
            See your listings
          </TextLink>
        </p>
      </header>
      <DealPanel>
        <ButtonLink to={paths.listings} onClick={putAway}>
          See my listings
        </ButtonLink>
      </DealPanel>
      <Switched
        on={open}
        instead={
          <Later label="Paused for now">
            Nothing new is listed meanwhile. What is on the market stays there. This opens again by itself.
          </Later>
        }
      >
        {chosen.length > 0 && (
          <Pricing
            chosen={chosen}
            onRemove={(item) => {
              heading.current?.focus();
              toggle(item);
            }}
            onSold={remove}
          />
        )}
        <section aria-labelledby="choose" className={chosen.length > 0 ? "mt-16" : ""}>
          <h2 id="choose" ref={heading} tabIndex={-1} className="display mb-6 text-3xl outline-none">
            {chosen.length ? "Sell more at once" : "Choose what to sell"}
          </h2>
          {chosen.length >= most && (
            <p className="mb-4 text-bone-muted">
              {chosen.length > most
                ? `Only ${plural(most, "item")} can be listed at once. Remove some of the others.`
                : `At most ${plural(most, "item")} can be listed at once.`}
            </p>
          )}
          <ItemSelect chosen={chosen} onToggle={toggle} />
        </section>
      </Switched>
    </div>
  );
}
