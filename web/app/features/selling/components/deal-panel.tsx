import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { Spinner } from "~/components/ui/spinner";
import { Problem } from "~/features/wallet/components/problem";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { type Deal, isUnderWay, putAway, type Thing, useDeal } from "../deal";

const waits: Partial<Record<Deal["state"], string>> = {
  sending: "Sending it to the chain.",
  waiting: "Waiting for your other action to finish.",
  confirming: "Waiting for the chain to take it.",
  late: "Not confirmed on chain yet. This page keeps checking.",
};

/** What each kind of operation is called while it lasts, when it is done, and when it failed. */
const texts: Record<Deal["kind"], Record<"doing" | "done" | "failed", (things: string) => string>> = {
  list: { doing: (things) => `Listing ${things}`, done: () => "On the market", failed: (things) => `${things} not listed` },
  reprice: { doing: () => "Changing the price", done: () => "The price is changed", failed: () => "The price is not changed" },
  end: { doing: (things) => `Ending ${things}`, done: () => "Off the market", failed: (things) => `${things} not ended` },
};

const nameOf = ({ name, count }: Thing) => (count > 1 ? `${count} × ${name}` : name);

interface DealPanelProps {
  /** What can be done next, once the operation is done. */
  children?: ReactNode;
  /** Shown in place of the operation. */
  instead?: ReactNode;
}

/** The player's last operation as a seller: on its way, done, or why it failed. Nothing without one. */
export function DealPanel({ children, instead }: DealPanelProps) {
  const deal = useDeal();
  const panel = useRef<HTMLElement>(null);
  const state = deal && (isUnderWay(deal) ? "under-way" : deal.state);
  useEffect(() => {
    if (!state) return;
    panel.current?.scrollIntoView?.({ block: "nearest" });
    panel.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [state]);
  // A result is for the page on which it was awaited.
  useEffect(() => putAway, []);
  if (!deal) return null;
  if (instead) return instead;
  const many = plural(deal.things.length, deal.kind === "list" ? "item" : "listing");
  const phase = state === "under-way" ? "doing" : state === "done" ? "done" : "failed";
  return (
    <section ref={panel} aria-label="Your last step" className="mb-12 scroll-mt-24 border-y border-bronze-dim py-8">
      <h2 tabIndex={-1} className="display text-3xl outline-none sm:text-4xl">
        {texts[deal.kind][phase](many)}
      </h2>
      {phase === "doing" && (
        <p role="status" className="mt-4 flex items-center gap-4 text-lg">
          <Spinner color="var(--color-ember)" size={28} />
          {waits[deal.state]}
        </p>
      )}
      {phase === "failed" && (
        <div className="mt-4 max-w-xl">
          <Problem error={deal.error} />
        </div>
      )}
      <ul className="mt-6 flex flex-wrap gap-x-8 gap-y-4">
        {deal.things.slice(0, 12).map((thing) => (
          <li key={thing.key} className="flex items-center gap-3">
            <img
              src={thing.image}
              alt=""
              width={600}
              height={640}
              className="aspect-[600/640] w-12 rounded bg-night-1 object-cover object-top"
            />
            <TextLink to={paths.item(thing.contract, thing.tokenId)} className="inline-flex min-h-11 items-center">
              {nameOf(thing)}
            </TextLink>
          </li>
        ))}
      </ul>
      {deal.things.length > 12 && <p className="mt-3 text-bone-muted">and {deal.things.length - 12} more</p>}
      {phase !== "doing" && (
        <div className="mt-6 flex flex-wrap gap-3">
          {phase === "done" && children}
          <Button kind="quiet" onClick={putAway}>
            {phase === "done" ? "Done" : "Close"}
          </Button>
        </div>
      )}
    </section>
  );
}
