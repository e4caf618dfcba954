import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { Skeleton } from "~/components/ui/states";
import { ByPasskey } from "~/features/approval/components/by-passkey";
import { passkeysQuery } from "~/features/passkey/passkeys";
import { CodeForm, ProvingPasswordForm } from "~/features/session/components/proof-forms";
import { session } from "~/features/session/store";
import { browserWallets, providerOf, watchBrowserWallets } from "~/features/wallet/providers";
import { ownWalletProblem, type Step, signChallenge } from "~/features/wallet/verified-wallet";
import { ApiError } from "~/lib/api/problem";
import { serverNow } from "~/lib/clock";
import { useFocusFirst } from "~/lib/focus-first";
import { useStore } from "~/lib/store";
import { type CreatedWithdrawal, confirmWithdrawal, refreshMoney, sendWithdrawalCode, type Withdrawal } from "../queries";

type Proof = CreatedWithdrawal["proof"];

/** What the history entry of a new withdrawal keeps, also for a reload. */
export interface JustAsked {
  proof: Proof;
  lookalikes: string[];
  /** When it was asked for, in milliseconds of this browser's clock. */
  at: number;
}

const action = "Confirm";

/** An error that is over by looking again: somebody has confirmed or cancelled it meanwhile. */
function lookAgain(error: unknown): never {
  if (error instanceof ApiError && (error.status === 404 || error.reason === "over")) void refreshMoney();
  throw error;
}

function ByCode({ id, asked, onWrongProof }: { id: string; asked: number; onWrongProof: () => void }) {
  const [at, setAt] = useState(asked);
  const email = useStore(session, (s) => s.profile?.AccountInfo.PrivateInfo.Email);
  const wrongProof = (error: unknown): never => {
    if (error instanceof ApiError && (error.reason === "proof" || error.field("password"))) onWrongProof();
    return lookAgain(error);
  };
  const send = async () => {
    await sendWithdrawalCode(id).catch(wrongProof);
    setAt(Date.now());
  };
  return (
    <div className="grid max-w-md gap-5">
      <CodeForm
        action={action}
        onCode={(code) => confirmWithdrawal(id, { code }).catch(wrongProof)}
        resend={{ at, action: "Send it again", send }}
      >
        {at ? "A code is on its way to " : "We sent a code to "}
        <strong className="break-words font-normal text-bone">{email}</strong>. It confirms this withdrawal and no other.
      </CodeForm>
    </div>
  );
}

function ByPassword({ id }: { id: string }) {
  return (
    <div className="max-w-md">
      <ProvingPasswordForm action={action} onPassword={(password) => confirmWithdrawal(id, { password }).catch(lookAgain)} />
    </div>
  );
}

/** The message while waiting for the wallet. */
const steps: Record<Step, string> = {
  connect: "Choose your account in your wallet.",
  switch: "Your wallet is on another chain. Let it switch.",
  sign: "Sign the message in your wallet. It is free.",
  verify: "Checking the signature.",
};

function BySignature({ id, wallet }: { id: string; wallet: string }) {
  const { list } = useStore(browserWallets, (w) => w);
  const [busy, setBusy] = useState("");
  const [step, setStep] = useState<Step>();
  const [problem, setProblem] = useState("");
  useEffect(() => watchBrowserWallets(), []);
  const sign = async (which: (typeof list)[number]) => {
    setBusy(which.id);
    setProblem("");
    try {
      const proof = await signChallenge(providerOf(which.id), setStep, wallet);
      setStep("verify");
      await confirmWithdrawal(id, proof).catch(lookAgain);
    } catch (error) {
      setProblem(ownWalletProblem(error));
    } finally {
      setBusy("");
      setStep(undefined);
    }
  };
  return (
    <div className="grid max-w-xl gap-4">
      <p className="text-bone-muted">
        {list.length
          ? "Confirm by a signature of your own wallet. You sign one message; it is free."
          : "Confirm by a signature of your own wallet. It was not found in this browser: open this page in the browser that has it."}
      </p>
      <ul className="flex flex-wrap gap-3 empty:hidden">
        {list.map((which) => (
          <li key={which.id}>
            <Button busy={busy === which.id} disabled={busy !== "" && busy !== which.id} onClick={() => void sign(which)}>
              Sign with {which.name}
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-bone-muted empty:hidden">
        {step && steps[step]}
      </p>
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/**
 * Confirms a withdrawal. How is known where it was asked for; elsewhere by a passkey if there is one, and players with an email
 * address are assumed to have been sent a code, until the server says otherwise.
 */
export function Confirm({ withdrawal, asked }: { withdrawal: Withdrawal; asked: JustAsked | undefined }) {
  const email = useStore(session, (s) => s.profile?.AccountInfo.PrivateInfo.Email);
  const { data: passkeys, isPending } = useQuery({ ...passkeysQuery, enabled: !asked });
  const [chosen, setChosen] = useState<Proof | undefined>(asked?.proof);
  const [sentAt, setSentAt] = useState(asked?.at ?? 0);
  const box = useFocusFirst<HTMLDivElement>(chosen);
  const id = withdrawal.withdrawalId;
  if (!chosen && isPending) return <Skeleton className="h-40 max-w-md" />;
  const withoutPasskey: Proof = email === "" ? "signature" : "code";
  const without = async () => {
    try {
      if (withoutPasskey === "code") await sendWithdrawalCode(id);
      setSentAt(Date.now());
      setChosen(withoutPasskey);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "proof") lookAgain(error);
      setChosen("password");
    }
  };
  const proof = chosen ?? (passkeys?.some((p) => Date.parse(p.approvesFrom) <= serverNow()) ? "passkey" : withoutPasskey);
  return (
    <div ref={box}>
      {proof === "passkey" && <ByPasskey onAnswer={(passkey) => confirmWithdrawal(id, { passkey }).catch(lookAgain)} onWithout={without} />}
      {proof === "code" && <ByCode id={id} asked={sentAt} onWrongProof={() => setChosen("password")} />}
      {proof === "password" && <ByPassword id={id} />}
      {proof === "signature" && <BySignature id={id} wallet={withdrawal.to} />}
    </div>
  );
}
