import type { ReactNode } from "react";
import { Link } from "react-router";
import { linkLook } from "~/components/ui/link";
import { cn } from "~/lib/cn";
import { useRead } from "../query";
import { useMay } from "../session";
import type { Home as Numbers } from "../types";
import { Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { count } from "../ui/values";

/** How often the numbers are looked up, in milliseconds. */
const every = 60_000;

type Work = { label: string; n: number; to: string; right: string };

const workOf = (home: Numbers): Work[] => [
  { label: "Rewards that failed", n: home.failedRewards, to: "/rewards?state=failed", right: "reward list" },
  { label: "Rewards of wallets without a player", n: home.unownedRewards, to: "/rewards?state=unowned", right: "reward list" },
  { label: "Webstore orders that wait for an operator", n: home.shopWaiting, to: "/shop#waiting", right: "shop list" },
  { label: "Webstore orders that could not be settled", n: home.shopFailed, to: "/shop#failed", right: "shop list" },
  { label: "Debts after refunds", n: home.debts, to: "/shop#debts", right: "shop list" },
  { label: "Frozen players", n: home.frozenPlayers, to: "/players#frozen", right: "player show" },
];

/** What needs a person, and whether the portal works. */
export function Home() {
  const query = useRead<Numbers>("home", { every });
  return (
    <Page heading="Home">
      <Section heading="What needs you">
        <Read query={query} what="What needs you" rows={6}>
          {(home) => <WorkList work={workOf(home)} />}
        </Read>
      </Section>
      <Section heading="The portal">
        <Read query={query} what="The state of the portal" rows={4}>
          {(home) => <Parts {...home} />}
        </Read>
      </Section>
    </Page>
  );
}

function WorkList({ work }: { work: Work[] }) {
  const may = useMay();
  return (
    <ul className="border-y border-line">
      {work.map(({ label, n, to, right }) => {
        const text: ReactNode = (
          <>
            <span className={cn("w-16 text-right text-2xl", n > 0 ? "font-bold" : "text-bone-muted")}>{count(n)}</span>{" "}
            <span className={cn(n === 0 && "text-bone-muted")}>{label}</span>
          </>
        );
        const look = "flex items-baseline gap-4 px-1 py-2";
        return (
          <li key={label} className="border-b border-line last:border-b-0">
            {may(right) ? (
              <Link to={to} className={cn(look, "hover:bg-night-1", n > 0 && linkLook)}>
                {text}
              </Link>
            ) : (
              <p className={look}>{text}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Parts({ ready, parts }: Numbers) {
  return (
    <>
      <p className={ready ? "text-good" : "text-bad"}>
        {ready ? "It is ready: it takes requests." : "It is not ready: it takes no requests."}
      </p>
      {parts.length > 0 && (
        <Table
          caption="Parts of the portal"
          rows={[...parts].sort((a, b) => Number(Boolean(b.error)) - Number(Boolean(a.error)))}
          keyOf={(part) => part.name}
          columns={[
            { name: "Part", className: "whitespace-nowrap", cell: (part) => part.name },
            {
              name: "State",
              className: "w-full [overflow-wrap:anywhere]",
              cell: ({ error }) => (error ? <span className="text-bad">{error}</span> : "Works"),
            },
          ]}
        />
      )}
    </>
  );
}
