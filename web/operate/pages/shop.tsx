import { plural } from "~/lib/format";
import { ActButton } from "../act-dialog";
import { forgive, shopAssign, shopRelease } from "../acts";
import { useRead } from "../query";
import { useMay } from "../session";
import type { Shop, ShopOrder } from "../types";
import { Nothing, Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Data, Facts, PlayerLink, State, Time } from "../ui/values";

/** What waits in the webstore. */
export function ShopPage() {
  const query = useRead<Shop>("shop");
  return (
    <Page heading="Webstore">
      <Read query={query} what="The webstore" rows={12}>
        {(shop) => <Parts {...shop} />}
      </Read>
    </Page>
  );
}

function Parts({ reported, since, waiting, ...lists }: Shop) {
  const [failed, orders, debts] = [lists.failed ?? [], lists.orders ?? [], lists.debts ?? []];
  const may = useMay();
  return (
    <>
      <p className="text-sm text-bone-muted">
        {reported === 0 ? (
          "No order of the shop waits to be fetched."
        ) : (
          <>
            {plural(reported, "order")} of the shop {reported === 1 ? "waits" : "wait"} to be fetched
            {since && (
              <>
                , the oldest since <Time at={since} />
              </>
            )}
            .
          </>
        )}
      </p>
      <Section
        id="waiting"
        heading="Orders that wait for an operator"
        note={waiting > orders.length ? `The oldest ${orders.length} of ${waiting}.` : undefined}
      >
        {orders.length === 0 ? (
          <Nothing>No order waits.</Nothing>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {orders.map((order) => (
              <Waiting key={order.id} order={order} />
            ))}
          </div>
        )}
      </Section>
      <Section id="failed" heading="Orders that could not be settled" note="The portal tries them again by itself.">
        {failed.length === 0 ? (
          <Nothing>No order has failed.</Nothing>
        ) : (
          <Table
            caption="Orders that could not be settled"
            rows={failed}
            keyOf={({ orderId }) => orderId}
            columns={[
              { name: "Order", cell: ({ orderId }) => orderId },
              { name: "Since", cell: ({ since: from }) => <Time at={from} /> },
              { name: "Attempts", number: true, cell: ({ attempts }) => attempts },
              { name: "Error", className: "w-full min-w-64 text-bad [overflow-wrap:anywhere]", cell: ({ error }) => error },
            ]}
          />
        )}
      </Section>
      <Section id="debts" heading="Debts after refunds" note="What players got and did not pay for in the end.">
        {debts.length === 0 ? (
          <Nothing>Nobody owes anything.</Nothing>
        ) : (
          <Table
            caption="Debts after refunds"
            rows={debts.map((debt, i) => ({ ...debt, i }))}
            keyOf={({ i }) => i}
            columns={[
              { name: "Player", cell: ({ playerId }) => <PlayerLink id={playerId} /> },
              { name: "State", cell: ({ state }) => <State>{state}</State> },
              { name: "Amount", number: true, cell: ({ amount }) => amount.toLocaleString("en") },
              { name: "Of", cell: ({ kind }) => kind },
              { name: "Detail", className: "min-w-40", cell: ({ detail }) => <Data value={detail} /> },
              { name: "Reward", className: "w-full min-w-40", cell: ({ source }) => <Data value={source} /> },
              may("shop forgive") && {
                name: "Acts",
                hidden: true,
                cell: ({ playerId }) => <ActButton act={forgive({ id: playerId, name: playerId })} />,
              },
            ]}
          />
        )}
      </Section>
    </>
  );
}

function Waiting({ order }: { order: ShopOrder }) {
  const { number, status, playerId, paidAt, disputedAt, problem } = order;
  const [notes, refers, lines] = [order.notes ?? [], order.refers ?? [], order.lines ?? []];
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="display">Order {number}</h3>
        <div className="flex gap-2">
          {!playerId && <ActButton act={shopAssign(order)} />}
          {playerId && <ActButton act={shopRelease(order)} />}
        </div>
      </div>
      <Facts
        facts={[
          ["Status", status],
          ["Player", playerId ? <PlayerLink key="player" id={playerId} /> : "Not known"],
          ["Paid", <Time key="paid" at={paidAt} />],
          ["Disputed", disputedAt && <Time at={disputedAt} />],
          ["Problem", problem && <span className="text-bad">{problem}</span>],
          [
            "It names",
            refers.length > 0 && (
              <ul>
                {refers.map(({ playerId: named, deleted }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a reference may name nobody
                  <li key={i}>
                    {named && <PlayerLink id={named} />}
                    {!named && !deleted && "A player that the portal does not know"}
                    {deleted && (named ? ", whose account was deleted" : "A player whose account was deleted")}
                  </li>
                ))}
              </ul>
            ),
          ],
          [
            "Notes",
            notes.length > 0 && (
              <ul>
                {notes.map((note, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two notes may be the same
                  <li key={i}>{note}</li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <Table
        caption={`Lines of order ${number}`}
        rows={lines}
        keyOf={({ id }) => id}
        columns={[
          { name: "Line", cell: ({ id }) => id },
          { name: "Product", className: "w-full min-w-40", cell: ({ name }) => name },
          { name: "Variation", number: true, cell: ({ variation }) => variation },
          { name: "Quantity", number: true, cell: ({ quantity }) => quantity },
          { name: "Taken back", number: true, cell: ({ takenBack }) => takenBack },
          { name: "Waiting", number: true, cell: ({ waiting }) => waiting },
          {
            name: "Why",
            className: "min-w-48 [overflow-wrap:anywhere]",
            cell: ({ waits, unknown }) => (
              <>
                {waits}
                {unknown && <p className="text-bad">The catalogue does not know it.</p>}
              </>
            ),
          },
        ]}
      />
    </article>
  );
}
