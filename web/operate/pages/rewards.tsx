import { Link } from "react-router";
import { cn } from "~/lib/cn";
import { useSearchParams } from "~/lib/navigation";
import { withQuery } from "../api";
import { useRead } from "../query";
import type { Rewards as Owed } from "../types";
import { Rewards } from "../ui/lists";
import { Page } from "../ui/page";
import { Read } from "../ui/read";

const choices = [
  { state: "failed", label: "Failed" },
  { state: "unowned", label: "Without a player" },
] as const;

/** The rewards that need an operator: those that failed, and those of wallets that no player has registered. */
export function RewardsPage() {
  const [query] = useSearchParams();
  const { state } = choices.find((choice) => choice.state === query.get("state")) ?? choices[0];
  const rewards = useRead<Owed>(withQuery("rewards", { state }));
  return (
    <Page heading="Rewards">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <nav aria-label="Which rewards">
          <ul className="flex flex-wrap gap-2">
            {choices.map((choice) => (
              <li key={choice.label}>
                <Link
                  to={withQuery("/rewards", { state: choice.state })}
                  aria-current={choice.state === state ? "page" : undefined}
                  className={cn(
                    "inline-flex min-h-9 items-center rounded border px-3 text-sm",
                    choice.state === state ? "border-ember bg-night-2" : "border-line-strong text-bone-muted hover:text-bone",
                  )}
                >
                  {choice.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className="text-sm text-bone-muted">
          {state === "failed" ? "At most 50, those that failed last first." : "At most 50, by their wallets."}
        </p>
        <Read query={rewards} what="The rewards" rows={8}>
          {({ items }) => <Rewards rewards={items} />}
        </Read>
      </div>
    </Page>
  );
}
