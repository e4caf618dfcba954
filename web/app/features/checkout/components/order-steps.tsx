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
