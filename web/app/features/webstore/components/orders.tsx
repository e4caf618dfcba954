import { useInfiniteQuery } from "@tanstack/react-query";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { type Debt, ordersQuery, useUsdc } from "../queries";
import { grantText, isUsdc } from "../texts";
import { OrderCard } from "./order-card";

const PayDebts = deferred(() => import("./pay-debts"), <Skeleton className="mt-5 h-24" />);

/** What is owed, and what it costs. */
function Owed({ debt, usdc }: { debt: Debt; usdc: string }) {
  return (
    <li>
      <span className="font-bold">{grantText({ ...debt, amount: debt.left }, usdc)}</span>{" "}
      <span className="text-bone-muted">
        {debt.cost === undefined
          ? "Only our support can settle this. Please write to them."
          : !isUsdc(debt, usdc) && <Price value={debt.cost} />}
      </span>
    </li>
  );
}

interface ArrearsProps {
  blocked: string;
  debts: Debt[];
  payable: string;
}

/** Why the player can neither send nor list anything, nor buy by card: a debt, whose parts it lists, or a disputed payment. */
function Arrears({ blocked, debts, payable }: ArrearsProps) {
  const usdc = useUsdc();
  const paying = debts.some((debt) => debt.paying);
  return (
    <section aria-labelledby="owed" className="mb-12 border-l-2 border-bad bg-night-1 px-6 py-5">
      <h2 id="owed" className="display text-3xl">
        {debts.length > 0 ? "What you owe" : "A disputed payment"}
      </h2>
      <p className="mt-2 max-w-[40rem]">
        {blocked} {debts.length > 0 && "Currencies are taken back as soon as you have some."}
      </p>
      <ul className="figures mt-4 grid gap-1">
        {debts.map((debt) => (
          <Owed key={`${debt.currency} ${debt.contract} ${debt.tokenId}`} debt={debt} usdc={usdc} />
        ))}
      </ul>
      {(payable || paying) && <PayDebts payable={payable} paying={paying} />}
      <TextLink to={paths.support} className="mt-3 inline-flex min-h-11 items-center">
        To support
      </TextLink>
    </section>
  );
}

function List() {
  const query = useInfiniteQuery(ordersQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <DidNotLoad what="Your orders" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96" />;
  const orders = data.pages.flatMap((page) => page.items);
  const { blocked = "", debts = [], payable = "" } = data.pages[0] ?? {};
  return (
    <>
      {(blocked || debts.length > 0) && <Arrears blocked={blocked} debts={debts} payable={payable} />}
      {orders.length === 0 && (
        <EmptyState title="No orders yet" action={<ButtonLink to={paths.webstore}>To the webstore</ButtonLink>}>
          What you pay for in the webstore is listed here, with what it gave you.
        </EmptyState>
      )}
      <ul className="grid gap-14">
        {orders.map((order) => (
          <li key={order.orderId}>
            <OrderCard order={order} heading="h2" />
          </li>
        ))}
      </ul>
      <More query={query} className="mt-10" />
    </>
  );
}

/** What the player has paid for in the shop, newest first. */
export function Orders() {
  return (
    <OwnPage
      heading="Webstore orders"
      lead="What you have paid for in the webstore, and what each order gave you. An order that is not paid is not listed."
      aside={
        <TextLink to={paths.webstore} className="mt-3 inline-flex min-h-11 items-center">
          To the webstore
        </TextLink>
      }
    >
      <div className="max-w-4xl">
        <List />
      </div>
    </OwnPage>
  );
}
