import { useId, useState } from "react";
import { Later } from "~/components/site/later";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { useFlag } from "~/features/flags/store";
import { type Amounts, addUp } from "~/features/reward/amounts";
import { amountsText } from "~/features/reward/components/amounts";
import { Problem } from "~/features/wallet/components/problem";
import type { WalletChain } from "~/features/wallet/smart-wallet";
import { plural } from "~/lib/format";
import { tokenKey } from "~/lib/token";
import { burn, type Item, type Origin, useBurning } from "../burn";
import { texts } from "../texts";

/** A token of the player's smart wallet that can be burned. */
export interface Burnable {
  contract: string;
  tokenId: string;
  name: string;
  image: string;
  /** How many the player holds; at least 1. */
  held: number;
  /** What one of them gives. */
  gives: Amounts;
  /** A remark beside the name, such as "VIP". */
  mark?: string;
}

interface CounterProps {
  of: Burnable;
  count: number;
  onChange: (count: number) => void;
}

/** How many of a token are chosen. */
function Counter({ of: { name, held }, count, onChange }: CounterProps) {
  const step =
    "grid size-11 place-items-center rounded border border-line-strong text-2xl leading-none hover:border-bronze disabled:opacity-40";
  return (
    <fieldset className="flex items-center gap-2">
      <legend className="sr-only">{name}: how many</legend>
      <button type="button" className={step} aria-label="One fewer" disabled={count === 0} onClick={() => onChange(count - 1)}>
        −
      </button>
      <input
        type="number"
        inputMode="numeric"
        min={0}
        max={held}
        aria-label={name}
        value={count}
        onChange={({ target }) => onChange(Math.max(0, Math.min(held, Math.trunc(target.valueAsNumber) || 0)))}
        className={
          "figures h-11 w-14 rounded border border-line-strong bg-night text-center text-xl [appearance:textfield] " +
          "[&::-webkit-inner-spin-button]:appearance-none"
        }
      />
      <button type="button" className={step} aria-label="One more" disabled={count === held} onClick={() => onChange(count + 1)}>
        +
      </button>
    </fieldset>
  );
}

interface ChooserProps {
  origin: Origin;
  chain: WalletChain;
  burnables: Burnable[];
}

/** Chooses what to burn, asks whether it is meant, and burns it. */
export function Chooser({ origin, chain, burnables }: ChooserProps) {
  const { one, act, it, them } = texts[origin];
  const failed = useBurning(origin);
  const [counts, setCounts] = useState<Record<string, number>>(() =>
    Object.fromEntries((failed?.state === "failed" ? failed.items : []).map((item) => [tokenKey(item), item.amount])),
  );
  const [asking, setAsking] = useState(false);
  const heading = useId();
  const open = useFlag("pack_opening");

  if (open === false) return <Later label="Paused for now">Nothing you own is used up meanwhile. This opens again automatically.</Later>;

  const chosen = burnables.flatMap((of) => {
    const count = Math.min(counts[tokenKey(of)] ?? 0, of.held);
    return count > 0 ? [{ of, count }] : [];
  });
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  const gives = amountsText(addUp(chosen.map(({ of, count }) => ({ of: of.gives, count }))));
  const items: Item[] = chosen.map(({ of: { contract, tokenId, name, image }, count }) => ({
    contract,
    tokenId,
    amount: count,
    name,
    image,
  }));

  return (
    <section aria-labelledby={heading} className="border-y border-bronze-dim py-8">
      <h2 id={heading} className="display text-3xl">
        {act} {one}s
      </h2>
      {failed?.state === "failed" && (
        <div className="mt-4 max-w-xl">
          <Problem error={failed.error} />
        </div>
      )}
      <ul className="mt-6 grid gap-x-12 lg:grid-cols-2">
        {burnables.map((of) => (
          <li
            key={tokenKey(of)}
            className="grid grid-cols-[4.5rem_1fr] items-center gap-x-4 gap-y-3 border-t border-line py-4 sm:grid-cols-[4.5rem_1fr_auto]"
          >
            <img
              src={of.image}
              alt=""
              width={600}
              height={640}
              className="aspect-[600/640] w-full rounded bg-night-1 object-cover object-top"
            />
            <div>
              <p className="font-bold leading-tight">
                {of.name} {of.mark && <span className="caption ml-1 text-rarity-legendary">{of.mark}</span>}
              </p>
              <p className="figures mt-1 text-sm text-bone-muted">
                {of.held > 1 && `${of.held.toLocaleString("en")} held. `}
                {amountsText(of.gives)}
                {of.held > 1 && " each"}
              </p>
            </div>
            <div className="max-sm:col-start-2">
              <Counter
                of={of}
                count={Math.min(counts[tokenKey(of)] ?? 0, of.held)}
                onChange={(count) => setCounts({ ...counts, [tokenKey(of)]: count })}
              />
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap items-center gap-x-8 gap-y-4 border-t border-line pt-6">
        <Button size="large" disabled={total === 0} onClick={() => setAsking(true)}>
          {total > 0 ? `${act} ${plural(total, one)}` : act}
        </Button>
        {burnables.some((of) => (counts[tokenKey(of)] ?? 0) < of.held) && (
          <Button kind="bare" onClick={() => setCounts(Object.fromEntries(burnables.map((of) => [tokenKey(of), of.held])))}>
            Choose all
          </Button>
        )}
        <p role="status" className="figures text-lg">
          {total > 0 && `Gives ${gives}`}
        </p>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`${act} ${plural(total, one)}?`}
        description={`${total === 1 ? "It is" : "They are"} burned on the chain. This cannot be undone.`}
      >
        <div className="grid gap-5 px-6 py-6">
          <ul className="grid gap-1">
            {chosen.map(({ of, count }) => (
              <li key={tokenKey(of)} className="figures">
                {count} × {of.name}
              </li>
            ))}
          </ul>
          <p>You get {gives}, by the tariff of today.</p>
          <div className="flex flex-wrap gap-3">
            <Button
              onClick={() => {
                setAsking(false);
                burn({ origin, chain, items }).catch(() => {}); // the state of the burn says why
              }}
            >
              {total === 1 ? it : them}
            </Button>
            <Button kind="quiet" onClick={() => setAsking(false)}>
              Keep {total === 1 ? "it" : "them"}
            </Button>
          </div>
        </div>
      </Dialog>
    </section>
  );
}
