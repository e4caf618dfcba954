import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Tabs } from "~/components/ui/tabs";
import { notify } from "~/components/ui/toasts";
import { compare } from "~/lib/amount";
import { ApiError } from "~/lib/api/problem";
import { amount, plural } from "~/lib/format";
import { useNavigate, useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { type CreatedWithdrawal, type Money, type MoneyBalance, moneyQuery, useLiveMoney, withdrawalsQuery } from "../queries";
import { isOpen } from "../texts";
import { AddMoney } from "./add-money";
import { AddressBook } from "./address-book";
import type { JustAsked } from "./confirm";
import { Movements } from "./movements";
import { type Draft, emptyDraft, SendForm } from "./send-form";
import { WithdrawalView } from "./withdrawal";
import { WithdrawalLine, Withdrawals } from "./withdrawals";

function Balance({ balance: { symbol, inWallet, paying, asked, listings } }: { balance: MoneyBalance }) {
  return (
    <div className="border-t border-bronze-dim pt-5">
      <dt className="caption text-bone-muted">{symbol} in your wallet</dt>
      <dd className="display mt-2 text-[clamp(3rem,9vw,5.5rem)] leading-none normal-case">
        <Price value={inWallet} currency={symbol} />
      </dd>
      {compare(paying, "0") > 0 && (
        <dd className="mt-2 text-bone-muted">
          {amount(paying)} {symbol} of it are being paid just now.
        </dd>
      )}
      {listings > 0 && (
        <dd className="mt-2 text-bone-muted">
          {listings === 1 ? "Your listing asks" : `Your ${plural(listings, "listing")} ask`} for {amount(asked)} {symbol}. That is yours
          once somebody buys.
        </dd>
      )}
    </div>
  );
}

const tabs = ["moves", "add", "send", "withdrawals", "addresses"] as const;
type Tab = (typeof tabs)[number];

const to = (tab: Tab, more = "") => `${paths.money}?tab=${tab}${more}`;
const linkTo = (id: string) => to("send", `&withdrawal=${encodeURIComponent(id)}`);

/** What the history entry knows of a withdrawal that was just asked for. */
const askedIn = (state: unknown) => (state as { asked?: JustAsked } | null)?.asked;

function Loaded({ money }: { money: Money }) {
  useLiveMoney();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { state, key } = useLocation();
  const first = useRef(key);
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const withdrawals = useInfiniteQuery(withdrawalsQuery).data?.pages.flatMap((page) => page.items) ?? [];
  const tab = tabs.find((name) => name === query.get("tab")) ?? "moves";
  const id = query.get("withdrawal");
  const waiting = withdrawals.filter((w) => isOpen(w) && w.withdrawalId !== id);

  async function created({ withdrawal, proof, lookalikes }: CreatedWithdrawal) {
    const asked: JustAsked = { proof, lookalikes, at: Date.now() };
    const went = await navigate(linkTo(withdrawal.withdrawalId), { state: { asked }, preventScrollReset: true });
    if (!went) notify("blank", "Your withdrawal waits for you", "Confirm it under Your money, Not sent yet.");
  }

  const send = id ? (
    <WithdrawalView
      key={id}
      id={id}
      asked={askedIn(state)}
      led={first.current !== key}
      onBack={(kept) => {
        if (!kept) setDraft(emptyDraft);
        void navigate(to("send"), { preventScrollReset: true });
      }}
    />
  ) : (
    <SendForm
      money={money}
      draft={draft}
      onDraft={setDraft}
      wanted={query.get("asset")?.toLowerCase() ?? ""}
      onCreated={(one) => void created(one)}
    />
  );

  return (
    <>
      <dl className="grid grid-cols-1 gap-x-12 gap-y-8 sm:grid-cols-2">
        {money.balances.map((balance) => (
          <Balance key={balance.contract} balance={balance} />
        ))}
      </dl>
      {waiting.length > 0 && (
        <section className="mt-12">
          <h2 className="display mb-4 text-3xl">Not sent yet</h2>
          <ul className="border-b border-line">
            {waiting.map((withdrawal) => (
              <WithdrawalLine key={withdrawal.withdrawalId} withdrawal={withdrawal} to={linkTo(withdrawal.withdrawalId)} />
            ))}
          </ul>
        </section>
      )}
      <div className="mt-12">
        <Tabs
          label="Your money"
          value={tab}
          onChange={(value) => void navigate(to(value as Tab), { preventScrollReset: true })}
          tabs={[
            { value: "moves", label: "In and out", content: <Movements /> },
            { value: "add", label: "Add money", content: <AddMoney money={money} /> },
            { value: "send", label: "Send", content: send },
            { value: "withdrawals", label: "Withdrawals", content: <Withdrawals linkTo={linkTo} /> },
            { value: "addresses", label: "Addresses", content: <AddressBook /> },
          ]}
        />
      </div>
    </>
  );
}

/** What the player has, and how it comes in and goes out. */
export function YourMoney() {
  const { data, error, refetch } = useQuery(moneyQuery);
  const withdrawals = useInfiniteQuery(withdrawalsQuery);
  const pending = withdrawals.isPending && withdrawals.failureCount === 0;
  return (
    <OwnPage heading="Your money" lead="What is in your wallet, what came in and went out, and the way to add some or send it elsewhere.">
      {data && !pending ? (
        <Loaded money={data} />
      ) : error && !data ? (
        error instanceof ApiError && error.status === 409 ? (
          <EmptyState title="You have no wallet yet" action={<ButtonLink to={paths.createWallet}>Create my wallet</ButtonLink>}>
            {error.message}
          </EmptyState>
        ) : (
          <DidNotLoad what="Your money" error={error} onRetry={refetch} />
        )
      ) : (
        <div aria-busy="true" className="grid grid-cols-1 gap-x-12 gap-y-8 sm:grid-cols-2">
          <Skeleton className="h-32" />
          <Skeleton className="h-32" />
        </div>
      )}
    </OwnPage>
  );
}
