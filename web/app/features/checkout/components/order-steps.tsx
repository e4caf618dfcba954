import { ProgressStep } from "~/components/ui/progress-step";
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
          <ProgressStep key={step.state} title={step.title} done={done} now={now} last={index === steps.length - 1} className="pb-8">
            {event && (
              <time dateTime={event.at} className="figures text-sm text-bone-muted">
                {exactTimeOfDay(event.at)}
              </time>
            )}
          </ProgressStep>
        );
      })}
    </ol>
  );
}
