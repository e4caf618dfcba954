import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextLink } from "~/components/ui/link";
import { Select } from "~/components/ui/select";
import { Skeleton } from "~/components/ui/states";
import { session } from "~/features/session/store";
import { ApiError, messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { amount, short } from "~/lib/format";
import { useHeldPress } from "~/lib/held-press";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { isSameAddress } from "~/lib/token";
import { addressProblem } from "../address";
import { addressBookQuery, type CreatedWithdrawal, checkRecipient, createWithdrawal, type Money, type NewWithdrawal } from "../queries";
import { amountProblem, countProblem, exceedsToday, freeOf, leftOf, limitsOf, normalized, spell } from "../texts";
import { Items, type Picked } from "./items";

/** What the player has filled in. The page keeps it, so that it is there again on coming back. */
export interface Draft {
  everything: boolean;
  /** Amounts as typed, by the currency's contract. */
  amounts: Record<string, string>;
  items: Record<string, Picked>;
  /** The chosen recipient: an address, "other" for a typed one, or "". */
  to: string;
  typed: string;
}

export const emptyDraft: Draft = { everything: false, amounts: {}, items: {}, to: "", typed: "" };

type Asset = NonNullable<NewWithdrawal["assets"]>[number];

/** What the form has to send, each with the name of its field. */
function assetsOf({ amounts, items }: Draft, { balances }: Money): [field: string, asset: Asset][] {
  const currencies = balances.flatMap((balance): [string, Asset][] => {
    const { chainId, contract } = balance;
    const typed = amounts[contract]?.trim();
    return typed ? [[contract, { chainId, contract, amount: normalized(typed, balance) ?? typed }]] : [];
  });
  const picked = Object.entries(items).map(([key, { chainId, contract, tokenId, amount: n }]): [string, Asset] => [
    key,
    { chainId, contract, tokenId, amount: n.trim() },
  ]);
  return [...currencies, ...picked];
}

/** What is wrong with the form, by field. */
function problemsOf(draft: Draft, money: Money, own: string | undefined): Record<string, string> {
  const found: [string, string | undefined][] = [];
  if (!draft.everything) {
    for (const balance of money.balances) found.push([balance.contract, amountProblem(draft.amounts[balance.contract] ?? "", balance)]);
    for (const [key, picked] of Object.entries(draft.items)) found.push([key, countProblem(picked.amount, picked.has)]);
    if (!assetsOf(draft, money).length) found.push(["what", "Enter an amount, or choose items."]);
    if (draft.to === "") found.push(["to", "Choose where to send it."]);
    if (draft.to === "other") found.push(["typed", addressProblem(draft.typed)]);
  } else if (!own) found.push(["what", "Connect your own wallet first."]);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The server's problems with the fields, by field. */
function refusedFields(error: ApiError, fields: string[], recipient: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { location, message } of error.fields) {
    if (!location || !message) continue;
    const asset = /^body\.assets\[(\d+)\]/.exec(location);
    const field = asset ? fields[Number(asset[1])] : location === "body.to" ? recipient : undefined;
    if (field) found[field] ??= message;
  }
  return found;
}

interface SendFormProps {
  money: Money;
  draft: Draft;
  onDraft: (change: (draft: Draft) => Draft) => void;
  /** The item that the page's address asks for; "" for none. */
  wanted: string;
  onCreated: (created: CreatedWithdrawal) => void;
}

/** Says what the daily limits leave, and how long other addresses wait. */
function Rules({ money, own }: { money: Money; own: string | undefined }) {
  return (
    <div className="grid content-start gap-3 border-l border-bronze-dim pl-5 text-bone-muted">
      <p className="caption">Good to know</p>
      <p>In 24 hours, this much can leave your wallet:</p>
      <ul className="grid gap-1">
        {limitsOf(money).map((line) => (
          <li key={line} className="figures">
            {line}
          </li>
        ))}
      </ul>
      <p>
        {own
          ? "To your own connected wallet you can send at once, unless you connected it or changed your password just now. " +
            "To any other address you"
          : "You"}{" "}
        can send {spell(money.delaySeconds)} after you confirm, or earlier if you confirm with a passkey. Until then you can cancel it.
      </p>
      <p>Sending costs you nothing. What is sent cannot be called back.</p>
    </div>
  );
}

/** Asks for money and items to leave the wallet. */
export function SendForm({ money, draft, onDraft, wanted, onCreated }: SendFormProps) {
  const profile = useStore(session, (s) => s.profile);
  const own = profile?.userVerifiedWallet?.walletAddress;
  const email = profile?.AccountInfo.PrivateInfo.Email;
  const book = useQuery(addressBookQuery);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<{ text: string; reason?: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(wanted !== "" || Object.keys(draft.items).length > 0);
  const hasItems = money.sendable.length > 0;

  useEffect(() => {
    if (Object.keys(errors).length) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);

  const recipient = draft.everything ? (own ?? "") : draft.to === "other" ? draft.typed.trim() : draft.to;
  const send = useHeldPress(!draft.everything && book.isPending, () => void submit(), draft);
  async function submit() {
    if (busy) return;
    setProblem(undefined);
    const found = problemsOf(draft, money, own);
    if (Object.keys(found).length) {
      // The server validates the address. Ask it now, so that its errors are shown together with those of the other fields.
      if (!draft.everything && draft.to === "other" && !found.typed) {
        setBusy(true);
        await checkRecipient(recipient).catch(
          (error) => error instanceof ApiError && Object.assign(found, refusedFields(error, [], "typed")),
        );
        setBusy(false);
      }
      setErrors(found);
      return;
    }
    setErrors({});
    setBusy(true);
    const assets = assetsOf(draft, money);
    try {
      onCreated(
        await createWithdrawal(
          draft.everything ? { to: recipient, everything: true } : { to: recipient, assets: assets.map(([, asset]) => asset) },
        ),
      );
    } catch (error) {
      const fields =
        error instanceof ApiError
          ? refusedFields(
              error,
              assets.map(([field]) => field),
              draft.everything ? "what" : draft.to === "other" ? "typed" : "to",
            )
          : {};
      if (Object.keys(fields).length) setErrors(fields);
      else setProblem({ text: messageOf(error), reason: error instanceof ApiError ? error.reason : undefined });
    } finally {
      setBusy(false);
    }
  }

  const pick = (key: string, picked: Picked | undefined) =>
    onDraft((d) => {
      const { [key]: _, ...others } = d.items;
      return { ...d, items: picked ? { ...d.items, [key]: picked } : others };
    });

  const options = [
    ...(own ? [{ value: own, label: `My own wallet, ${short(own)}` }] : []),
    ...(book.data ?? [])
      .filter(({ address }) => !own || !isSameAddress(address, own))
      .map(({ address, label }) => ({ value: address, label: `${label}, ${short(address)}` })),
    { value: "other", label: "Another address" },
  ];
  const way = (everything: boolean, label: string, text: string) => (
    <label
      className={cn(
        "flex min-h-14 cursor-pointer items-start gap-3 border border-line-strong px-4 py-3 has-checked:border-bronze " +
          "has-checked:bg-night-1",
        everything && !own && "cursor-not-allowed",
      )}
    >
      <input
        type="radio"
        name="way"
        checked={draft.everything === everything}
        disabled={everything && !own}
        onChange={() => onDraft((d) => ({ ...d, everything }))}
        className="mt-1 size-5 shrink-0 accent-ember"
      />
      <span>
        {label}
        <span className="block text-sm text-bone-muted">{text}</span>
      </span>
    </label>
  );

  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-[1.65fr_1fr]">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.press();
        }}
        className="grid content-start gap-8"
      >
        <h2 className="display text-4xl">Send</h2>
        {email === "" && (
          <p className="max-w-xl border-l-2 border-bronze bg-night-1 px-5 py-4">
            Your account has no email address. You can send to your own connected wallet, and confirm by its signature. To send to other
            addresses, add an email in <TextLink to={paths.settings}>your settings</TextLink> first.
          </p>
        )}
        <fieldset className="grid gap-3">
          <legend className="caption mb-2 text-bone-muted">What to send</legend>
          {way(false, "Money or items that I choose", "To any address.")}
          {way(
            true,
            "Move everything to my own wallet",
            own ? `All that can leave, to ${short(own)}. Your listings end.` : "Connect your own wallet in your settings first.",
          )}
          {!own && (
            <p>
              <TextLink to={paths.settings} className="inline-flex min-h-11 items-center">
                Connect your own wallet
              </TextLink>
            </p>
          )}
        </fieldset>
        {draft.everything ? null : (
          <>
            <div className="grid gap-5">
              {money.balances.map((balance) => {
                const { contract, symbol } = balance;
                const typed = draft.amounts[contract] ?? "";
                const left = leftOf(balance);
                const set = (value: string) => onDraft((d) => ({ ...d, amounts: { ...d.amounts, [contract]: value } }));
                return (
                  <div key={contract} className="grid grid-cols-[1fr_auto] gap-3">
                    <Field
                      label={`${symbol} to send`}
                      inputMode="decimal"
                      autoComplete="off"
                      value={typed}
                      onChange={({ target }) => set(target.value)}
                      error={errors[contract]}
                      hint={
                        left && exceedsToday(typed, balance)
                          ? `That is more than the ${amount(left)} ${symbol} that are left for today. ` +
                            "You can ask for it now, and send it once the limit allows."
                          : `You have ${amount(freeOf(balance))} ${symbol} to send.`
                      }
                      className="figures"
                    />
                    <Button kind="quiet" className="mt-[1.4rem]" aria-label={`All ${symbol}`} onClick={() => set(freeOf(balance))}>
                      All
                    </Button>
                  </div>
                );
              })}
            </div>
            {hasItems && (
              <div className="grid gap-5">
                <Button kind="quiet" aria-expanded={open} className="justify-self-start" onClick={() => setOpen(!open)}>
                  {open ? "Hide the items" : "Choose items"}
                </Button>
                {open && <Items money={money} picked={draft.items} errors={errors} wanted={wanted} onPick={pick} />}
              </div>
            )}
            {book.isPending ? (
              <Skeleton className="h-20" />
            ) : (
              <Select
                label="Send to"
                options={options}
                value={draft.to}
                error={errors.to}
                hint={book.error && !book.data ? "Your saved addresses did not load. You can still enter one." : undefined}
                onChange={({ target }) => onDraft((d) => ({ ...d, to: target.value }))}
              />
            )}
            {draft.to === "other" && (
              <Field
                label="Address"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={draft.typed}
                onChange={({ target }) => onDraft((d) => ({ ...d, typed: target.value }))}
                error={errors.typed}
                hint="It begins with 0x. Copy it; do not type it from a picture."
                className="figures"
              />
            )}
          </>
        )}
        <div className="grid justify-items-start gap-4">
          <p role="alert" className="wrap-anywhere text-bad empty:hidden">
            {errors.what ?? problem?.text}
            {problem?.reason === "proof" && (
              <>
                {" "}
                <TextLink to={paths.settings}>Open your settings</TextLink>
              </>
            )}
          </p>
          <Button type="submit" busy={busy || send.held}>
            Continue
          </Button>
          <p className="text-sm text-bone-muted">Nothing leaves yet. Next you check the address and confirm.</p>
        </div>
      </form>
      <Rules money={money} own={own} />
    </div>
  );
}
