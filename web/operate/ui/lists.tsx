import { Link } from "react-router";
import { linkLook } from "~/components/ui/link";
import { ActButton } from "../act-dialog";
import { assign, redo } from "../acts";
import { part } from "../api";
import { useMay } from "../session";
import type { Event, Order, Reward } from "../types";
import { Nothing } from "./page";
import { Table } from "./table";
import { Data, Ident, PlayerLink, State, Time } from "./values";

/** The lists that several pages show. */

/** Players' orders on the market. */
export function Orders({ orders }: { orders: Order[] }) {
  const may = useMay();
  if (orders.length === 0) return <Nothing>No orders.</Nothing>;
  return (
    <Table
      caption="Orders"
      rows={orders}
      keyOf={({ id }) => id}
      columns={[
        { name: "Order", cell: ({ id }) => <Ident text={id} to={may("order show") && `/orders/${part(id)}`} /> },
        { name: "State", cell: ({ state }) => <State>{state}</State> },
        { name: "Total", number: true, className: "whitespace-nowrap", cell: ({ totalText }) => totalText },
        { name: "Placed", cell: ({ placedAt }) => <Time at={placedAt} /> },
        { name: "Transaction", cell: ({ transaction }) => transaction && <Ident text={transaction} copy="transaction" /> },
        { name: "Error", className: "w-full min-w-40 text-bad [overflow-wrap:anywhere]", cell: ({ error }) => error },
      ]}
    />
  );
}

/** Whether the grants of a reward can be given again. */
const isFailed = ({ state, grants }: Reward) => state === "failed" || grants?.some((grant) => grant.state === "failed");

/** Rewards, with what an operator can do about them. */
export function Rewards({ rewards, ofPlayer = false }: { rewards: Reward[]; ofPlayer?: boolean }) {
  const may = useMay();
  if (rewards.length === 0) return <Nothing>No rewards.</Nothing>;
  const acts = may("reward redo") || may("reward assign");
  return (
    <Table
      caption="Rewards"
      rows={rewards}
      keyOf={({ source }) => source}
      columns={[
        { name: "Source", cell: ({ source }) => <Ident text={source} copy="source" /> },
        { name: "Of", cell: ({ origin }) => origin },
        { name: "State", cell: ({ state }) => <State>{state}</State> },
        !ofPlayer && { name: "Player", cell: (reward) => <Owner {...reward} /> },
        { name: "Earned", cell: ({ earnedAt }) => <Time at={earnedAt} /> },
        { name: "What", className: "w-full min-w-64", cell: (reward) => <Given {...reward} /> },
        acts && {
          name: "Acts",
          hidden: true,
          cell: (reward) => (
            <div className="flex justify-end gap-2">
              {isFailed(reward) && <ActButton act={redo(reward)} />}
              {/* Those of the webstore are assigned with their order. */}
              {!reward.playerId && reward.origin !== "webstore" && <ActButton act={assign(reward)} />}
            </div>
          ),
        },
      ]}
    />
  );
}

function Owner({ playerId, wallet }: Reward) {
  if (playerId) return <PlayerLink id={playerId} />;
  return wallet ? <Ident text={wallet} copy="wallet" /> : "Nobody";
}

/** The grants of a reward, and the errors. */
function Given({ error, detail, ...reward }: Reward) {
  const grants = reward.grants ?? [];
  return (
    <div className="grid gap-1">
      {error && <p className="text-bad [overflow-wrap:anywhere]">{error}</p>}
      {grants.length === 0 && <Data value={detail} />}
      {grants.length > 0 && (
        <ul className="grid gap-1">
          {grants.map((grant, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a grant is named by its place in the reward
            <li key={i}>
              {grant.kind}: <State>{grant.state}</State>
              {grant.attempts > 0 && <span className="text-bone-muted">, failed {grant.attempts}×</span>} <Data value={grant.detail} />
              {grant.error && <p className="text-bad [overflow-wrap:anywhere]">{grant.error}</p>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether the subject of an event is a player. */
const isPlayer = ({ kind, event }: Event) => kind === "player" || event.startsWith("player ");

/** Entries of the security log. */
export function Events({ events, caption = "Security log" }: { events: Event[]; caption?: string }) {
  const may = useMay();
  if (events.length === 0) return <Nothing>No entries.</Nothing>;
  const player = (id: string) => may("player show") && `/players/${part(id)}`;
  return (
    <Table
      caption={caption}
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { name: "Event", className: "whitespace-nowrap", cell: ({ event }) => event },
        { name: "At", cell: ({ at }) => <Time at={at} /> },
        {
          name: "By",
          cell: ({ kind, actor }) => (
            <span className="whitespace-nowrap">
              {kind === "player" && actor ? <Ident text={actor} to={player(actor)} /> : [kind, actor].filter(Boolean).join(" ")}
            </span>
          ),
        },
        {
          name: "Subject",
          cell: (event) =>
            event.subject && event.subject !== event.actor ? (
              <Ident text={event.subject} to={isPlayer(event) && player(event.subject)} copy="subject" />
            ) : null,
        },
        {
          name: "More",
          className: "w-full min-w-64 [overflow-wrap:anywhere]",
          cell: ({ refusal, detail, reason }) => (
            <div className="grid gap-0.5">
              {refusal && <p className="text-bad">Refused: {refusal}</p>}
              {reason && <p>Reason: {reason}</p>}
              {detail && <p className="text-bone-muted">{detail}</p>}
            </div>
          ),
        },
        { name: "Network", cell: ({ network }) => network && <Ident text={network} /> },
        { name: "Session", cell: ({ session }) => session && <Ident text={session} /> },
        { name: "Number", number: true, cell: ({ sequence }) => sequence },
      ]}
    />
  );
}

/** A link to the log of a player. */
export const LogLink = ({ player }: { player: string }) => (
  <Link to={`/log?player=${encodeURIComponent(player)}`} className={linkLook}>
    The whole log of this player
  </Link>
);
