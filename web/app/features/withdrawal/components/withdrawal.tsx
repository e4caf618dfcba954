import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { CopyIconButton } from "~/components/ui/copyable";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { Transaction } from "~/features/config/components/transaction";
import { itemQuery } from "~/features/market/queries";
import { session } from "~/features/session/store";
import { useWalletAddress } from "~/features/wallet/balance";
import { Problem } from "~/features/wallet/components/problem";
import { activeWallet } from "~/features/wallet/connection";
import { sendings } from "~/features/wallet/sending";
import { messageOf } from "~/lib/api/problem";
import { useNow } from "~/lib/clock";
import { cn } from "~/lib/cn";
import { plural, short } from "~/lib/format";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { zonedDateTime } from "~/lib/time";
import { isSameAddress, tokenKey } from "~/lib/token";
import { differences, isLookalike } from "../address";
import {
  addressBookQuery,
  cancelWithdrawal,
  useLabel,
  type Withdrawal,
  type WithdrawalPart,
  withdrawalQuery,
  withdrawalsQuery,
} from "../queries";
import { sendPart } from "../sending";
import { canCancel, isOpen, type Phase, phaseOf, type Sum, summary, sumsOf, titleOf } from "../texts";
import { WholeAddress } from "./address";
import { Confirm, type JustAsked } from "./confirm";

/** How many items are named; the rest are counted. */
const named = 8;

function ItemName({ sum: { contract, tokenId, amount } }: { sum: Sum }) {
  const { data } = useQuery(itemQuery(contract, tokenId));
  return (
    <TextLink to={paths.item(contract, tokenId)} className="inline-flex min-h-11 items-center">
      {amount !== "1" && `${amount} × `}
      {data?.metadata.name || `Token ${short(tokenId)}`}
    </TextLink>
  );
}

/** What leaves, money first. */
function What({ sums }: { sums: Sum[] }) {
  const money = sums.filter(({ symbol }) => symbol);
  const items = sums.filter(({ symbol }) => !symbol);
  return (
    <ul className="grid text-lg">
      {money.map(({ contract, amount, symbol }) => (
        <li key={contract} className="display mb-1 text-4xl normal-case">
          <Price value={amount} currency={symbol} />
        </li>
      ))}
      {items.slice(0, named).map((sum) => (
        <li key={tokenKey(sum)} className="break-words">
          <ItemName sum={sum} />
        </li>
      ))}
      {items.length > named && <li className="text-bone-muted">and {plural(items.length - named, "more item")}</li>}
    </ul>
  );
}

/** An address that the recipient could be mistaken for, with both one above the other. */
function Lookalike({ to, known, label }: { to: string; known: string; label: string }) {
  const count = differences(to, known);
  return (
    <div role="note" className="max-w-xl border-l-2 border-bad bg-night-1 px-5 py-4">
      <p className="font-bold">This address looks like one that you know, but it is another.</p>
      <p className="mt-1 text-bone-muted">
        Both begin and end alike; {plural(count, "character")} in between differ. Thieves make such addresses. Send only if you are sure.
      </p>
      <dl className="mt-3 grid gap-3">
        <div>
          <dt className="caption text-bone-muted">You are sending to</dt>
          <dd>
            <WholeAddress address={to} against={known} />
          </dd>
        </div>
        <div>
          <dt className="caption text-bone-muted">You know{label && `: ${label}`}</dt>
          <dd>
            <WholeAddress address={known} against={to} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** The known addresses that the recipient could be mistaken for: the server's, and those that this page knows. */
function useLookalikes(to: string, fromServer: string[]): { address: string; label: string }[] {
  const own = useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress);
  const smart = useWalletAddress();
  const book = useQuery(addressBookQuery).data ?? [];
  const before = useInfiniteQuery(withdrawalsQuery).data?.pages.flatMap((page) => page.items) ?? [];
  const known = [
    ...book.map(({ address, label }) => ({ address, label })),
    ...(own ? [{ address: own, label: "your own connected wallet" }] : []),
    ...(smart ? [{ address: smart, label: "your wallet here" }] : []),
    ...before.filter(({ state }) => state === "done").map((w) => ({ address: w.to, label: "you sent to it before" })),
    ...fromServer.map((address) => ({ address, label: "" })),
  ];
  const alike = known.filter(({ address }) => isLookalike(address, to));
  return alike.filter(({ address }, i) => alike.findIndex((other) => isSameAddress(other.address, address)) === i);
}

/**
 * Whether a part that was being sent is open again, because its operation did not get through. The second value forgets it,
 * for the next attempt.
 */
function useDropped({ state }: WithdrawalPart): [boolean, () => void] {
  const before = useRef(state);
  const [dropped, setDropped] = useState(false);
  useEffect(() => {
    if (state !== before.current) setDropped(before.current === "sending" && state === "open");
    before.current = state;
  }, [state]);
  return [dropped, () => setDropped(false)];
}

interface PartProps {
  withdrawal: Withdrawal;
  part: WithdrawalPart;
  ready: boolean;
  /** "part 2 of 3"; "" for the only one. */
  which: string;
}

function Part({ withdrawal, part, ready, which }: PartProps) {
  const mine = useStore(sendings, ({ of }) => of[part.partId]);
  const [dropped, forgetDropped] = useDropped(part);
  const busy = part.state === "open" && (mine?.state === "signing" || mine?.state === "waiting" || (mine?.state === "gone" && !dropped));
  const said: Record<WithdrawalPart["state"], string> = {
    open: busy
      ? mine?.state === "waiting"
        ? "Waiting for another action of yours to finish."
        : "Sending."
      : dropped
        ? "It did not get through. Nothing has left your wallet. You can send it again."
        : "",
    sending: "On its way. This takes a few seconds.",
    sent: "Sent.",
    failed: part.error || "The transfer was refused. Nothing has left your wallet.",
  };
  return (
    <li className="grid gap-3 border-t border-line py-5">
      {which && <p className="caption text-bone-muted">{which}</p>}
      {which && <What sums={sumsOf({ ...withdrawal, parts: [part] })} />}
      {part.state === "open" && ready && (
        <Button
          busy={busy}
          className="justify-self-start"
          onClick={() => {
            forgetDropped();
            void sendPart(withdrawal.withdrawalId, part);
          }}
        >
          {which ? `Send ${which}` : "Send"}
        </Button>
      )}
      <p
        role="status"
        className={cn("empty:hidden", part.state === "sent" ? "text-good" : part.state === "failed" ? "text-bad" : "text-bone-muted")}
      >
        {said[part.state]}
      </p>
      {part.state === "open" && mine?.state === "failed" && <Problem error={mine.error} />}
      {part.txHash && (
        <p className="text-bone-muted">
          Transaction <Transaction chainId={part.chainId} txHash={part.txHash} />
        </p>
      )}
    </li>
  );
}

/** What the player can do next, and what happens if nothing is done. */
function explain(w: Withdrawal, phase: Phase): ReactNode {
  const inPart = w.parts.some(({ state }) => state === "sent" || state === "sending");
  switch (phase) {
    case "unconfirmed":
      return (
        "Compare the whole address with the one you mean. " +
        `Confirm until ${zonedDateTime(w.expiresAt)}; after that you have to start again.`
      );
    case "waiting":
      return (
        "Nothing has left your wallet yet. We write to you when it can be sent, if we know your email. If this was not " +
        "you, cancel it and change your password."
      );
    case "ready":
      return `It can be sent until ${zonedDateTime(w.expiresAt)}. What is sent cannot be called back.`;
    case "done":
      return w.parts.some(({ state }) => state === "failed")
        ? "What could not be sent is still in your wallet."
        : "It has left your wallet.";
    case "cancelled":
      return `${w.reason ?? ""} ${inPart ? "What was sent before stays sent." : "Nothing has left your wallet."}`.trim();
    case "expired":
      return inPart
        ? "The rest was not sent in time and stays in your wallet."
        : "It was not confirmed or not sent in time. Nothing has left your wallet.";
  }
}

/** A button that cancels a withdrawal, with its failure. */
export function CancelButton({ withdrawal, label }: { withdrawal: Withdrawal; label?: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const cancel = async () => {
    setBusy(true);
    setProblem("");
    try {
      await cancelWithdrawal(withdrawal.withdrawalId);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-2">
      <Button kind="quiet" busy={busy} aria-label={label} onClick={() => void cancel()}>
        Cancel it
      </Button>
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
    </div>
  );
}

interface WithdrawalViewProps {
  id: string;
  /** What is known of a withdrawal that was just asked for. */
  asked: JustAsked | undefined;
  /** Whether the player was led here on this page: its heading then takes the focus. */
  led: boolean;
  /** Leads back to the form, which keeps what was typed until it was confirmed. */
  onBack: (kept: boolean) => void;
}

/** One withdrawal, in whichever state: to be confirmed, waiting, to be sent, or over. */
export function WithdrawalView({ id, asked, led, onBack }: WithdrawalViewProps) {
  const { data, error, refetch } = useQuery(withdrawalQuery(id));
  if (!data) {
    return error ? <DidNotLoad what="This withdrawal" error={error} onRetry={refetch} /> : <Skeleton className="h-96" />;
  }
  return <Loaded withdrawal={data} asked={asked} led={led} onBack={onBack} />;
}

function Loaded({ withdrawal, asked, led, onBack }: Omit<WithdrawalViewProps, "id"> & { withdrawal: Withdrawal }) {
  const now = useNow();
  const phase = phaseOf(withdrawal, now);
  const title = titleOf(withdrawal, phase);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef("");
  const label = useLabel()(withdrawal.to);
  const lookalikes = useLookalikes(withdrawal.to, asked?.lookalikes ?? []);
  const { parts } = withdrawal;
  const ready = phase === "ready";
  const showsParts = ready || parts.some(({ state }) => state !== "open");

  useEffect(() => {
    if (ready) activeWallet().catch(() => {}); // in advance; sending it shows errors
  }, [ready]);
  useEffect(() => {
    // A step that is over takes its controls, and the focus, with it.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (shown.current === "" ? led : lost && shown.current !== phase) heading.current?.focus();
    shown.current = phase;
  }, [phase, led]);

  return (
    <article className="grid max-w-3xl gap-7">
      <div>
        <h2 ref={heading} tabIndex={-1} className="display text-4xl outline-none">
          {title}
        </h2>
        <p role="status" className="sr-only">
          {title}
        </p>
        <p className="mt-3 max-w-xl text-bone-muted">{explain(withdrawal, phase)}</p>
      </div>
      {parts.length > 1 && showsParts ? (
        <p className="display text-4xl normal-case">{summary(withdrawal)}</p>
      ) : (
        <What sums={sumsOf(withdrawal)} />
      )}
      <div className="border-l border-bronze-dim pl-5">
        <p className="caption mb-2 text-bone-muted">To{label && `: ${label}`}</p>
        <div className="flex items-center gap-1">
          <WholeAddress address={withdrawal.to} className="text-lg sm:text-xl" />
          <CopyIconButton text={withdrawal.to} what="address" />
        </div>
      </div>
      {isOpen(withdrawal) &&
        lookalikes.map(({ address, label: of }) => <Lookalike key={address} to={withdrawal.to} known={address} label={of} />)}
      {parts.length > 1 && isOpen(withdrawal) && (
        <p className="max-w-xl text-bone-muted">
          It is sent in {parts.length} parts, as there is a limit to what fits into one, and chains are apart. You send them one after the
          other; a daily limit may make some wait.
        </p>
      )}
      {phase === "unconfirmed" && <Confirm withdrawal={withdrawal} asked={asked} />}
      {showsParts && (
        <ul className="border-b border-line">
          {parts.map((part, i) => (
            <Part
              key={part.partId}
              withdrawal={withdrawal}
              part={part}
              ready={ready}
              which={parts.length > 1 ? `part ${i + 1} of ${parts.length}` : ""}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {canCancel(withdrawal) && <CancelButton withdrawal={withdrawal} />}
        <Button kind={isOpen(withdrawal) ? "bare" : "quiet"} onClick={() => onBack(phase === "unconfirmed")}>
          {isOpen(withdrawal) ? "Send something else" : "Send more"}
        </Button>
      </div>
    </article>
  );
}
