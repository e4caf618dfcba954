import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { Checkbox } from "~/components/ui/checkbox";
import { FailedLine } from "~/components/ui/failed-line";
import { inputLook } from "~/components/ui/field";
import { CloseIcon, DownIcon } from "~/components/ui/icon";
import { RightIcon } from "~/components/ui/market-icons";
import { type Rarity, RarityBadge, rarities } from "~/components/ui/rarity";
import { SearchField } from "~/components/ui/search-field";
import { CompactSelect } from "~/components/ui/select";
import type { components } from "~/lib/api/schema.gen";
import { cn } from "~/lib/cn";
import { focusMain } from "~/lib/focus";
import { amount, plural } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import { collectionName } from "../collections";
import { mostTraits, rangeProblems, useFilters } from "../filters";
import { collectionsQuery, type Sort, traitsQuery } from "../queries";

const sorts: { value: Sort; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "price-asc", label: "Lowest price" },
  { value: "price-desc", label: "Highest price" },
  { value: "rarity", label: "Rarest first" },
];

/** The search field. */
export function MarketSearch() {
  const { filters, change } = useFilters();
  return <SearchField label="Search the market" placeholder="Names, traits…" value={filters.q} onChange={(q) => change({ q })} />;
}

/** The sort order of the listings. */
export function SortField() {
  const { filters, change } = useFilters();
  return (
    <CompactSelect
      label="Order"
      value={filters.sort}
      options={sorts}
      onChange={(sort) => change({ sort })}
      className="flex items-center gap-2"
    />
  );
}

/** Placeholders for the collections until they load: the market's usual number. */
const places = Array.from({ length: 5 }, (_, index) => index);

/** The collections: those with listings and how many, or those of which something may have been sold. */
function Collections({ sold = false }: { sold?: boolean | undefined }) {
  const { filters, change } = useFilters();
  const { data, error, refetch } = useQuery(collectionsQuery);
  const entry =
    "flex w-full items-baseline justify-between gap-3 border-l py-1.5 pl-4 text-left max-lg:min-h-11 " +
    "max-lg:items-center transition-colors hover:text-bone";
  const on = "border-ember text-bone";
  const off = "border-line text-bone-muted hover:border-bronze";
  return (
    <fieldset>
      <legend className="caption mb-3 text-bronze">Collections</legend>
      <button
        type="button"
        aria-pressed={!filters.collection}
        className={cn(entry, filters.collection ? off : on)}
        onClick={() => change({ collection: "", trait: [] })}
      >
        All collections
      </button>
      {error && !data && (
        <div className="border-l border-line py-1.5 pl-4">
          <FailedLine onRetry={refetch}>They did not load.</FailedLine>
        </div>
      )}
      {!data &&
        !error &&
        places.map((index) => (
          <div key={index} aria-hidden="true" className={cn(entry, off)}>
            &nbsp;
          </div>
        ))}
      {data
        ?.filter((c) => sold || c.listed > 0 || c.slug === filters.collection)
        .map((c) => (
          <button
            key={c.contract}
            type="button"
            aria-pressed={filters.collection === c.slug}
            className={cn(entry, filters.collection === c.slug ? on : off)}
            onClick={() => change({ collection: filters.collection === c.slug ? "" : c.slug, trait: [] })}
          >
            <span>{collectionName(c.slug)}</span>
            {!sold && (
              <span className="figures text-sm text-bone-muted" title={c.floor && `From ${amount(c.floor)} ${marketCurrency.symbol}`}>
                {c.listed}
                <span className="sr-only"> {plural(c.listed, "listing").replace(/^\d+ /, "")}</span>
              </span>
            )}
          </button>
        ))}
    </fieldset>
  );
}

/** The rarities with one of them switched on or off. */
const switched = (chosen: Rarity[], rarity: Rarity) => rarities.filter((r) => chosen.includes(r) !== (r === rarity));

const without = <T,>(list: T[], one: T) => list.filter((other) => other !== one);

function Rarities() {
  const { filters, change } = useFilters();
  return (
    <fieldset>
      <legend className="caption mb-3 text-bronze">Rarity</legend>
      <div className="flex flex-wrap gap-1.5">
        {rarities.map((rarity) => (
          <button
            key={rarity}
            type="button"
            aria-pressed={filters.rarity.includes(rarity)}
            onClick={() => change((now) => ({ rarity: switched(now.rarity, rarity) }))}
            className={
              "min-h-11 rounded border border-line px-2.5 py-1.5 hover:border-bronze aria-pressed:border-current " +
              "aria-pressed:bg-night-3 lg:min-h-9"
            }
          >
            <RarityBadge rarity={rarity} className="text-[0.75rem]" />
          </button>
        ))}
      </div>
    </fieldset>
  );
}

type Trait = components["schemas"]["Trait"];

/** How many values of a trait are shown before all are asked for. */
const fewValues = 6;

function TraitValues({ trait: { name, values } }: { trait: Trait }) {
  const { filters, change } = useFilters();
  const [all, setAll] = useState(false);
  const chosen = (value: string) => filters.trait.includes(`${name}:${value}`);
  const shown = values.filter(({ value }, i) => all || i < fewValues || chosen(value));
  const count = values.filter(({ value }) => chosen(value)).length;
  return (
    <details className="group border-b border-line" open={count > 0 || undefined}>
      <summary
        className={
          "flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 hover:text-ember-bright " +
          "[&::-webkit-details-marker]:hidden"
        }
      >
        <span>
          {name}
          {count > 0 && <span className="figures ml-2 text-sm text-ember-bright">{count} chosen</span>}
        </span>
        <span className="transition-transform group-open:rotate-180">
          <DownIcon size={14} />
        </span>
      </summary>
      <ul className="pb-3">
        {shown.map(({ value, listed }) => (
          <li key={value}>
            <Checkbox
              className="lg:min-h-9"
              aria-label={`${value}, ${plural(listed, "listing")}`}
              checked={chosen(value)}
              disabled={!chosen(value) && filters.trait.length >= mostTraits}
              onChange={(on) =>
                change((now) => ({ trait: on ? [...now.trait, `${name}:${value}`] : without(now.trait, `${name}:${value}`) }))
              }
            >
              <span className="min-w-0 flex-1 truncate">{value}</span>
              <span className="figures text-sm text-bone-muted">{listed.toLocaleString("en")}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mb-3 min-h-11 text-bone-muted underline decoration-bronze underline-offset-4 hover:text-bone"
        >
          All {values.length} values
        </button>
      )}
    </details>
  );
}

/** The traits of the chosen collection; nothing without one. */
function Traits() {
  const { filters } = useFilters();
  const { data, error, refetch } = useQuery(traitsQuery(filters.collection));
  if (!filters.collection || data?.length === 0) return null;
  return (
    <fieldset>
      <legend className="caption mb-1 text-bronze">Traits</legend>
      {error && !data && <FailedLine onRetry={refetch}>They did not load.</FailedLine>}
      {data?.map((trait) => (
        <TraitValues key={trait.name} trait={trait} />
      ))}
    </fieldset>
  );
}

function Only({ name, label }: { name: "free" | "cheapest"; label: string }) {
  const { filters, change } = useFilters();
  return (
    <Checkbox checked={filters[name]} onChange={(on) => change({ [name]: on })}>
      {label}
    </Checkbox>
  );
}

/** The price range. One that is wrong is refused at its field, and stays as it was typed. */
function Prices({ formId, onApplied }: { formId?: string | undefined; onApplied?: (() => void) | undefined }) {
  const { filters, change } = useFilters();
  const [typed, setTyped] = useState({ min: filters.min, max: filters.max });
  const [applied, setApplied] = useState(typed);
  const [problems, setProblems] = useState<ReturnType<typeof rangeProblems>>({});
  const note = useId();
  const fields = { min: useRef<HTMLInputElement>(null), max: useRef<HTMLInputElement>(null) };
  // The address was changed otherwise, such as by the browser's back button.
  if (filters.min !== applied.min || filters.max !== applied.max) {
    setApplied({ min: filters.min, max: filters.max });
    setTyped({ min: filters.min, max: filters.max });
    setProblems({});
  }
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = rangeProblems(typed.min, typed.max);
    setProblems(found);
    const wrong = found.min ? fields.min : found.max ? fields.max : undefined;
    if (wrong) return wrong.current?.focus();
    const range = { min: typed.min.trim(), max: typed.max.trim() };
    if (range.min !== filters.min || range.max !== filters.max) change(range);
    onApplied?.();
  };
  const problem = problems.min ?? problems.max;
  const input = (name: "min" | "max", label: string, placeholder: string) => (
    <input
      ref={fields[name]}
      name={name}
      aria-label={label}
      aria-invalid={problems[name] ? true : undefined}
      aria-describedby={problems[name] ? note : undefined}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      value={typed[name]}
      onChange={({ target }) => {
        setTyped({ ...typed, [name]: target.value });
        setProblems({});
      }}
      className={cn(inputLook, "figures h-11 min-w-0 px-3")}
    />
  );
  return (
    <form id={formId} onSubmit={apply}>
      <fieldset>
        <legend className="caption mb-3 text-bronze">Price in {marketCurrency.symbol}</legend>
        <div className="flex items-center gap-2">
          {input("min", "Lowest price", "from")}
          {input("max", "Highest price", "to")}
          <button
            type="submit"
            aria-label="Apply prices"
            className="grid size-11 shrink-0 place-items-center rounded border border-line-strong hover:border-bronze"
          >
            <RightIcon size={16} />
          </button>
        </div>
        <p id={note} role="alert" className="mt-2 text-sm text-bad empty:hidden">
          {problem}
        </p>
      </fieldset>
    </form>
  );
}

/** What the listings are filtered by, as chips that remove it. */
export function ActiveFilters() {
  const { filters, change, clear, active } = useFilters();
  const list = useRef<HTMLUListElement>(null);
  if (!active) return null;
  const { collection, q, rarity, trait, seller, free, min, max } = filters;
  const chips = [
    ...(collection ? [{ key: "collection", label: collectionName(collection), remove: () => change({ collection: "", trait: [] }) }] : []),
    ...(q ? [{ key: "q", label: `“${q}”`, remove: () => change({ q: "" }) }] : []),
    ...rarity.map((r) => ({
      key: r,
      label: r.charAt(0).toUpperCase() + r.slice(1),
      remove: () => change((now) => ({ rarity: without(now.rarity, r) })),
    })),
    ...trait.map((one) => ({
      key: one,
      label: one.replace(":", ": "),
      remove: () => change((now) => ({ trait: without(now.trait, one) })),
    })),
    ...(seller ? [{ key: "seller", label: `Seller ${seller.slice(0, 6)}…${seller.slice(-4)}`, remove: () => change({ seller: "" }) }] : []),
    ...(free ? [{ key: "free", label: "Free now", remove: () => change({ free: false }) }] : []),
    ...(min || max
      ? [
          {
            key: "price",
            label: !max
              ? `From ${amount(min)} ${marketCurrency.symbol}`
              : !min
                ? `Up to ${amount(max)} ${marketCurrency.symbol}`
                : `${amount(min)} to ${amount(max)} ${marketCurrency.symbol}`,
            remove: () => change({ min: "", max: "" }),
          },
        ]
      : []),
  ];
  const chip = "flex min-h-11 max-w-full items-center gap-2 rounded border border-line-strong px-3 hover:border-bronze lg:min-h-9";
  // The pressed chip goes: the focus moves to one that stays, or else to the page.
  const leave = (key: string) => {
    const next = [...(list.current?.querySelectorAll<HTMLButtonElement>("button[data-chip]") ?? [])].find(
      ({ dataset }) => dataset.chip !== key,
    );
    if (next) next.focus({ preventScroll: true });
    else focusMain();
  };
  return (
    <ul ref={list} aria-label="Filters in use" className="mb-5 flex flex-wrap gap-2">
      {chips.map(({ key, label, remove }) => (
        <li key={key} className="min-w-0 max-w-full">
          <button
            type="button"
            data-chip={key}
            aria-label={`Remove the filter ${label}`}
            className={chip}
            onClick={() => {
              leave(key);
              remove();
            }}
          >
            {/* What was typed may be long, or run from right to left. */}
            <bdi className="truncate">{label}</bdi>
            <span className="shrink-0">
              <CloseIcon size={14} />
            </span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="min-h-11 px-2 text-bone-muted underline decoration-bronze underline-offset-4 hover:text-bone lg:min-h-9"
          onClick={() => {
            focusMain();
            clear();
          }}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}

interface FilterPanelProps {
  /** By which a button outside the form can submit the price range. */
  formId?: string;
  onApplied?: () => void;
  /** Whether what was sold is shown, which has no other filters. */
  sold?: boolean;
}

/** All filters of the market. */
export function FilterPanel({ sold, ...prices }: FilterPanelProps) {
  if (sold) return <Collections sold />;
  return (
    <div className="grid gap-8">
      <Collections />
      <Rarities />
      <Prices {...prices} />
      <div>
        <Only name="free" label="Only what is free now" />
        <Only name="cheapest" label="One card per item" />
      </div>
      <Traits />
    </div>
  );
}
