import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { linkLook, TextLink } from "~/components/ui/link";
import { Skeleton } from "~/components/ui/states";
import { notifyAnywhere } from "~/components/ui/toasts";
import { CodeField, ProvingPasswordField } from "~/features/session/components/proof-forms";
import { SessionProblem } from "~/features/session/components/session-problem";
import { forgetEverything, loadProfile } from "~/features/session/session";
import { session } from "~/features/session/store";
import { context } from "~/lib/api/context";
import { ApiError, messageOf } from "~/lib/api/problem";
import { focusMain } from "~/lib/focus";
import { plural } from "~/lib/format";
import { tokenIn } from "~/lib/link-token";
import { useNavigate, useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { codeTime } from "~/lib/rules";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { dateTime } from "~/lib/time";
import { codeOf, codeProblem, currentPasswordProblem } from "~/lib/validate";
import { keepAskedCode, keptAskedCode } from "../asked-code";
import { deleteAccount, giveUp, type Left, sendCode } from "../deletion";
import { DeletionNotice } from "./deletion-notice";
import { KeepByLink } from "./keep-account";
import { SignInAgain } from "./sign-in-again";
import { Step } from "./step";

/** The state that the goodbye page finds in its history entry. */
export interface AccountDeletedState {
  gone: true;
}

interface Removal {
  /** What was found in the account; undefined until its deletion was refused for it. */
  left: Left | undefined;
  /** Deletes the account, shows the goodbye page, and clears everything in this browser; or shows what is left. */
  remove: (proof: Parameters<typeof deleteAccount>[0]) => Promise<void>;
}

function useRemoval(): Removal {
  const navigate = useNavigate();
  const [left, setLeft] = useState<Left>();
  const remove: Removal["remove"] = async (proof) => {
    // The server ends the session with the account, and other calls may be refused before its answer arrives.
    const refused = context.onUnauthorized;
    let isRefused = false;
    context.onUnauthorized = () => {
      isRefused = true;
    };
    try {
      const deletesAt = await deleteAccount(proof);
      if (deletesAt) {
        keepAskedCode(undefined);
        notifyAnywhere("success", "Deletion requested", `You can keep your account until ${dateTime(deletesAt)}.`);
        await loadProfile();
        return focusMain();
      }
      // First leave pages that need a player: they would redirect to the login.
      const went = await navigate(paths.deleteAccount, { replace: true, state: { gone: true } satisfies AccountDeletedState });
      forgetEverything();
      if (!went) notifyAnywhere("success", "Your account is deleted");
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "not-empty") throw error;
      setLeft(error.details);
      if (left) throw error; // the list did not change anything: the form shows the refusal
    } finally {
      context.onUnauthorized = refused;
      if (isRefused && read(keys.token)) refused();
    }
  };
  return { left, remove };
}

/** What can be in an account, and where it is taken out. */
const ways: Record<string, [what: (amount: string) => string, to: string, action: string]> = {
  money: [(amount) => amount, paths.money, "Withdraw everything"],
  items: [(amount) => plural(Number(amount), "item"), paths.inventory, "Open, collect or send them"],
  listings: [(amount) => plural(Number(amount), "listing"), paths.listings, "End your listings"],
  withdrawals: [(amount) => plural(Number(amount), "open withdrawal"), paths.money, "Send or cancel"],
  orders: [(amount) => `${plural(Number(amount), "payment")} under way`, paths.activity, "See the order"],
  "shop-orders": [(amount) => `${plural(Number(amount), "order")} in the shop`, paths.webstoreOrders, "See the order"],
  rewards: [(amount) => `${plural(Number(amount), "reward")} on the way`, paths.inventory, "See what you own"],
};

/** What is left in the account, how to take it out, and how to give it up. */
function WhatIsLeft({ left, error }: { left: Left; error: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="grid gap-4 outline-none">
      <p className="font-bold" role="alert">
        There is still something in your account:
      </p>
      <ul className="grid gap-2">
        {Object.entries(left).map(([kind, amount]) => {
          const way = ways[kind];
          return (
            way &&
            amount && (
              <li key={kind} className="flex flex-wrap items-center justify-between gap-x-6">
                {way[0](amount)}
                <TextLink to={way[1]} className="inline-flex min-h-11 items-center">
                  {way[2]}
                </TextLink>
              </li>
            )
          );
        })}
      </ul>
      <p className="text-bone-muted">
        Take it out first. Or give it up: then your account is deleted in seven days, and until then you can keep it or take out what you
        want.
      </p>
      <Field label={`To give it up, type: ${giveUp}`} name="giveUp" autoComplete="off" error={error} />
    </div>
  );
}

/** The form field of what was typed to give up what is left. */
const typed = (left: Left | undefined, value: string) => (left && value ? { giveUp: value } : {});
const giveUpRule = (left: Left | undefined) => (v: string) =>
  !left || !v || v === giveUp ? undefined : `Please type it exactly: ${giveUp}`;

/**
 * Deletes the account, by the password or by an emailed code, or keeps it by the emailed link. Visitors are sent to the login,
 * which leads back; a placeholder is shown while the session is loading, and a message while the server is unavailable.
 */
export function DeleteAccount() {
  const [query] = useSearchParams();
  const { state } = useLocation();
  return query.has("token") || tokenIn(state) ? <KeepByLink /> : <Deletion />;
}

function Deletion() {
  const { isLoading, isAuthenticated, profile, problem } = useStore(session, (s) => s);
  if (isAuthenticated && profile) {
    const { TitleInfo, PrivateInfo } = profile.AccountInfo;
    return (
      <>
        <p className="mb-5">
          The account of <strong className="font-bold">{TitleInfo.DisplayName}</strong>
          {PrivateInfo.Email && <span className="text-bone-muted">, {PrivateInfo.Email}</span>}
        </p>
        {profile.deletesAt ? <DeletionNotice at={profile.deletesAt} /> : <Proof email={PrivateInfo.Email} />}
      </>
    );
  }
  if (isLoading) return <Skeleton className="h-64" />;
  if (problem) return <SessionProblem />;
  return (
    <div>
      <p className="text-bone-muted">To delete your account, sign in to it first. You come back here.</p>
      <ButtonLink to={paths.login(paths.deleteAccount)} kind="quiet" className="mt-6">
        Sign in to delete your account
      </ButtonLink>
    </div>
  );
}

function Proof({ email }: { email: string }) {
  /** The player's choice of proof; undefined at first. */
  const [chosen, setChosen] = useState<"password" | "code" | undefined>(() => keptAskedCode("delete") && "code");
  /** Whether the address is too new to prove anything. */
  const [isNew, setNew] = useState(false);
  const removal = useRemoval();
  if (!email || isNew) return <WithoutEmail {...removal} isNew={isNew} />;
  if (chosen === "code") return <ByCode {...removal} email={email} onPassword={() => setChosen("password")} onNew={() => setNew(true)} />;
  const byPassword = <ByPassword {...removal} onCode={() => setChosen("code")} />;
  return chosen ? <Step>{byPassword}</Step> : byPassword;
}

const action = "Delete my account for good";

function ByPassword({ left, remove, onCode }: Removal & { onCode: () => void }) {
  return (
    <div className="grid gap-5">
      <Form
        rules={{ password: currentPasswordProblem, giveUp: giveUpRule(left) }}
        action={action}
        kind="quiet"
        onSubmit={({ password, giveUp }) => remove({ password, ...typed(left, giveUp) })}
      >
        {(errors) => (
          <>
            {left && <WhatIsLeft left={left} error={errors.giveUp} />}
            <ProvingPasswordField error={errors.password} />
          </>
        )}
      </Form>
      <p className="text-bone-muted">
        You do not know it, or have none?{" "}
        <button type="button" className={`${linkLook} min-h-11`} onClick={onCode}>
          Use a code by mail
        </button>
      </p>
    </div>
  );
}

function ByCode({ left, remove, email, onPassword, onNew }: Removal & { email: string; onPassword: () => void; onNew: () => void }) {
  const [sent, setSent] = useState(() => keptAskedCode("delete") !== undefined);
  return (
    <Step key={sent ? "code" : "mail"}>
      {sent ? (
        <Form
          rules={{ code: codeProblem, giveUp: giveUpRule(left) }}
          action={action}
          kind="quiet"
          onSubmit={({ code, giveUp }) => remove({ code: codeOf(code), ...typed(left, giveUp) })}
        >
          {(errors) => (
            <>
              {left && <WhatIsLeft left={left} error={errors.giveUp} />}
              <CodeField hint={`8 digits, sent to ${email}. Good for ${codeTime}.`} error={errors.code} />
            </>
          )}
        </Form>
      ) : (
        <Form
          rules={{}}
          action="Send me a code"
          kind="quiet"
          onSubmit={async () => {
            try {
              await sendCode();
            } catch (error) {
              if (!(error instanceof ApiError) || error.reason !== "no-email") throw error;
              return onNew();
            }
            keepAskedCode({ to: "delete", email, at: Date.now() });
            setSent(true);
          }}
        >
          {() => (
            <p className="text-bone-muted">
              A code goes to <strong className="font-normal text-bone [overflow-wrap:anywhere]">{email}</strong>.
            </p>
          )}
        </Form>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-bone-muted">
        {sent && (
          <button type="button" className={linkLook} onClick={() => setSent(false)}>
            Send another code
          </button>
        )}
        <button type="button" className={linkLook} onClick={onPassword}>
          Use my password
        </button>
      </p>
    </Step>
  );
}

/** A player from another site without an email, or with one that is too new to prove anything, proves it by a recent sign-in. */
function WithoutEmail({ left, remove, isNew }: Removal & { isNew: boolean }) {
  const [stale, setStale] = useState("");
  const why = isNew ? "Your e-mail address is too new to prove that it is you." : "Your account has no e-mail address and no password.";
  return (
    <div className="grid gap-5">
      <Form
        rules={{ giveUp: giveUpRule(left) }}
        action={action}
        kind="quiet"
        onSubmit={async ({ giveUp }) => {
          try {
            await remove(typed(left, giveUp));
          } catch (error) {
            if (!(error instanceof ApiError) || error.reason !== "stale") throw error;
            setStale(messageOf(error));
          }
        }}
      >
        {(errors) => (
          <>
            {left && <WhatIsLeft left={left} error={errors.giveUp} />}
            <p className="text-bone-muted">{why} Having signed in within the last ten minutes is proof enough.</p>
          </>
        )}
      </Form>
      <SignInAgain message={stale} from={paths.deleteAccount} />
    </div>
  );
}
