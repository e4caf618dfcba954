import { Price } from "~/components/ui/price";
import { cn } from "~/lib/cn";
import { exactTimeOfDay } from "~/lib/time";
import { isOpen, type Order } from "../queries";

const steps: { state: Order["state"]; title: string }[] = [
  { state: "awaiting-payment", title: "Order placed" },
  { state: "submitted", title: "Payment sent" },
  { state: "confirming", title: "Confirming on chain" },
  { state: "complete", title: "Yours" },
];

/** The order's progress, in plain words. */
export function Timeline({ order }: { order: Order }) {
  const reached = Math.max(...steps.map((step, index) => (order.timeline.some((event) => event.state === step.state) ? index : 0)));
  return (
    <ol className="grid gap-0">
      {steps.map((step, index) => {
        const event = order.timeline.findLast((e) => e.state === step.state);
        const done = event !== undefined && (index < reached || !isOpen(order));
        const now = index === reached && isOpen(order);
        return (
          <li key={step.state} aria-current={now ? "step" : undefined} className="relative flex gap-5 pb-8 last:pb-0">
            {index < steps.length - 1 && (
              <span className={cn("absolute bottom-0 left-[9px] top-5 border-l border-dashed", done ? "border-bronze" : "border-line-strong")} />
            )}
            <span
              className={cn(
                "relative mt-1 grid size-5 shrink-0 rotate-45 place-items-center border",
                done ? "border-bronze bg-bronze" : now ? "border-ember bg-night" : "border-line-strong bg-night",
              )}
            >
              {now && <span className="size-2 animate-pulse bg-ember" />}
            </span>
            <span className={done || now ? "" : "text-bone-muted"}>
              <span className="display block text-2xl">{step.title}</span>
              {event && (
                <time dateTime={event.at} className="figures text-sm text-bone-muted">
                  {exactTimeOfDay(event.at)}
                </time>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The order's items. */
export function Goods({ order }: { order: Order }) {
  return (
    <ul className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]">
      {order.items.map((item) => (
        <li key={item.listingId}>
          <img src={item.metadata?.image} alt="" width={600} height={800} className="w-full rounded border border-line" />
          <p className="mt-2 font-bold leading-tight">{item.metadata?.name}</p>
          <p className="figures text-sm text-bone-muted">
            {item.quantity > 1 && `${item.quantity} × `}
            <Price value={item.price} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Titles and texts of finished orders. */
export const endings: Partial<Record<Order["state"], { title: string; text: string }>> = {
  complete: { title: "It is yours", text: "Confirmed on chain. It is in your wallet now." },
  "partly-complete": { title: "Partly yours", text: "Some of it was no longer for sale. You paid only for what you got." },
  failed: { title: "Nothing was bought", text: "The purchase did not happen and you were not charged." },
};
