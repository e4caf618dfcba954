import { type Ref, useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { session } from "~/features/session/store";
import { ApiError, messageOf } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { cn } from "~/lib/cn";
import { fromBaseUnits } from "~/lib/format";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { isSameAddress } from "~/lib/token";
import { type Holding, isOnItsWay, useClaim } from "../queries";
import { collectionName, decimals, quantity, stateTexts, summaryOf } from "../texts";

/** How many holdings are shown at first. */
const shownFirst = 60;

const looks: Partial<Record<Holding["state"], string>> = {
  claimable: "text-ember",
  done: "text-good",
  foreign: "text-bad",
  failed: "text-bad",
};

interface RowProps {
  held: Holding;
  isOwnWallet: boolean;
  /** Of the first that was not shown before, which takes the focus. */
  ref?: Ref<HTMLLIElement> | undefined;
}

function Row({ held, isOwnWallet, ref }: RowProps) {
  const { name, image, collection, amount, state } = held;
  const isCurrency = !image;
  return (
    <li
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={
        "grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-x-5 border-b border-line py-4 outline-none " +
        "sm:grid-cols-[4rem_minmax(0,1fr)_auto]"
      }
    >
      {image ? (
        <img
          src={image}
          alt=""
          width={600}
          height={640}
          loading="lazy"
          decoding="async"
          className="aspect-[600/640] w-full rounded-sm bg-night-1 object-cover object-top"
        />
      ) : (
        <span aria-hidden="true" className="display grid aspect-[600/640] place-items-center rounded-sm bg-night-1 text-xl text-bronze">
          {collection}
        </span>
      )}
      <div className="min-w-0">
        <h4 className="break-words text-lg">
          {isCurrency ? <Price value={fromBaseUnits(amount, decimals)} currency={name} /> : name}
          {!isCurrency && amount !== "1" && (
            <>
              {" "}
              <span className="figures">× {quantity(amount, false)}</span>
            </>
          )}
        </h4>
        <p className="text-bone-muted">
          {isCurrency ? "Currency" : collectionName(collection)}
          {isOwnWallet && ", in a wallet of your own"}
        </p>
      </div>
      <p className={cn("display text-xl max-sm:col-start-2 sm:text-right", looks[state] ?? (isOnItsWay(held) ? "text-bronze" : ""))}>
        {stateTexts[state]}
      </p>
    </li>
  );
}

/** A player without a wallet, to which nothing could be given. */
function NoWallet() {
  return (
    <div className="border-l-2 border-bronze bg-night-1 px-6 py-5">
      <p className="max-w-[36rem]">You do not have a wallet yet, and your items need one to come to. It is free and made in seconds.</p>
      <ButtonLink to={paths.createWallet} kind="quiet" className="mt-4">
        Create your wallet
      </ButtonLink>
    </div>
  );
}

/** What the player held on a chain that the portal has left, with the button that claims it all. */
export function Held({ chainId, data: { items, claimable } }: { chainId: number; data: components["schemas"]["MovedHoldings"] }) {
  const smart = useStore(session, (s) => s.profile?.smartWalletAddress ?? "");
  const heading = useRef<HTMLHeadingElement>(null);
  const claim = useClaim(chainId);
  const [all, setAll] = useState(false);
  const next = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (all) next.current?.focus();
  }, [all]);
  const isRefused = claim.error instanceof ApiError && claim.error.reason === "no-wallet";
  const id = `held-${chainId}`;
  // The button goes: the heading takes its focus.
  const press = () => claim.mutate(undefined, { onSuccess: () => heading.current?.focus() });
  const shown = all ? items : items.slice(0, shownFirst);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1} className="display text-4xl outline-none">
        What you held
      </h3>
      <p role="status" className="figures mt-2 min-h-6 text-bone-muted">
        {items.length ? summaryOf(items.map(({ state }) => state)) : "Your wallets held nothing on the old chain."}
      </p>
      <div className="mt-5 grid justify-items-start gap-4 empty:hidden">
        {(!smart || isRefused) && <NoWallet />}
        {claim.error && !isRefused && (
          <p role="alert" className="border-l-2 border-bad pl-4">
            {messageOf(claim.error)}
          </p>
        )}
        {claimable > 0 && smart && (
          <Button busy={claim.isPending} onClick={press}>
            {claim.error ? "Try again: claim my items" : "Claim my items"}
          </Button>
        )}
      </div>
      {items.some(({ state }) => state === "foreign" || state === "failed") && (
        <p className="mt-5 max-w-[40rem] border-l-2 border-bad pl-4">
          {items.some(({ state }) => state === "foreign") && "What needs help was held by a contract, which cannot claim by itself. "}
          {items.some(({ state }) => state === "failed") && "What was not sent is still yours, and we are looking into it. "}
          <TextLink to={paths.support}>Write to our support</TextLink>, who give it to you.
        </p>
      )}
      {items.length > 0 && (
        <ul className="mt-6 border-t border-bronze-dim">
          {shown.map((held, index) => (
            <Row
              key={`${held.contract} ${held.tokenId} ${held.owner}`}
              ref={index === shownFirst ? next : undefined}
              held={held}
              isOwnWallet={smart !== "" && !isSameAddress(held.owner, smart)}
            />
          ))}
        </ul>
      )}
      {items.length > shown.length && (
        <Button kind="quiet" className="mt-5" onClick={() => setAll(true)}>
          Show all {items.length.toLocaleString("en")}
        </Button>
      )}
      <p className="mt-6 max-w-[40rem] text-bone-muted">
        Is something missing? What was in a wallet of your own appears here once you have{" "}
        <TextLink to={`${paths.settings}#verified-wallet`}>verified that wallet</TextLink> in your settings.
      </p>
    </section>
  );
}
