import { useParams } from "react-router";
import { part } from "../api";
import { useRead } from "../query";
import type { OrderPage } from "../types";
import { Nothing, Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Facts, Ident, PlayerLink, State, Time } from "../ui/values";

/** An order on the market with its items and what has happened to it. */
export function OrderDetails() {
  const { id = "" } = useParams();
  const query = useRead<OrderPage>(`orders/${part(id)}`);
  return (
    <Page heading="Order">
      <Read query={query} what="This order" rows={12} unknown="There is no such order.">
        {(order) => <Parts {...order} />}
      </Read>
    </Page>
  );
}

function Parts(order: OrderPage) {
  const items = (order.items ?? []).map((item, i) => ({ ...item, price: order.prices[i] }));
  const events = (order.events ?? []).map((event, i) => ({ ...event, i }));
  return (
    <>
      <Facts
        facts={[
          ["Id", <Ident key="id" text={order.id} copy="id" whole />],
          ["Player", <PlayerLink key="player" id={order.playerId} />],
          ["State", <State key="state">{order.state}</State>],
          ["Error", order.error && <span className="text-bad">{order.error}</span>],
          ["Total", order.totalText],
          ["Placed", <Time key="placed" at={order.placedAt} />],
          ["Units are kept until", <Time key="expires" at={order.expiresAt} />],
          ["Chain", order.chainId],
          ["Wallet", <Ident key="wallet" text={order.wallet} copy="wallet" whole />],
          ["Currency", <Ident key="currency" text={order.currency} copy="contract" whole />],
          ["Transaction", order.transaction && <Ident text={order.transaction} copy="transaction" whole />],
          ["User operation", order.operation && <Ident text={order.operation} copy="operation" whole />],
          ["Trace", order.trace && <Ident text={order.trace} copy="trace" whole />],
        ]}
      />
      <Section heading="Items">
        {items.length === 0 ? (
          <Nothing>No items.</Nothing>
        ) : (
          <Table
            caption="Items"
            rows={items}
            keyOf={({ listing }) => listing}
            columns={[
              { name: "Listing", cell: ({ listing }) => <Ident text={listing} copy="listing" /> },
              { name: "Token", cell: ({ tokenId }) => <Ident text={tokenId} /> },
              { name: "Contract", cell: ({ contract }) => <Ident text={contract} copy="contract" /> },
              { name: "Seller", cell: ({ seller }) => <Ident text={seller} copy="seller" /> },
              { name: "Quantity", number: true, cell: ({ quantity }) => quantity },
              { name: "Bought", number: true, cell: ({ bought }) => bought },
              { name: "Price of one", number: true, className: "whitespace-nowrap", cell: ({ price }) => price },
            ]}
          />
        )}
      </Section>
      <Section heading="What happened">
        {events.length === 0 ? (
          <Nothing>Nothing yet.</Nothing>
        ) : (
          <Table
            caption="What happened"
            rows={events}
            keyOf={({ i }) => i}
            columns={[
              { name: "At", cell: ({ at }) => <Time at={at} /> },
              { name: "State", cell: ({ state }) => <State>{state}</State> },
              { name: "Detail", className: "w-full min-w-40 [overflow-wrap:anywhere]", cell: ({ detail }) => detail },
            ]}
          />
        )}
      </Section>
    </>
  );
}
