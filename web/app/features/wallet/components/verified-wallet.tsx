import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { Copyable } from "~/components/ui/copyable";
import { useApproval } from "~/features/approval/use-approval";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { useStore } from "~/lib/store";
import { type BrowserWallet, browserWallets, providerOf, watchBrowserWallets } from "../providers";
import { connectOwnWallet, disconnectOwnWallet, ownWalletProblem, type Step } from "../verified-wallet";

/** The message while waiting for the wallet. */
const steps: Record<Step, string> = {
  connect: "Choose an account in your wallet.",
  switch: "Your wallet is on another chain. Let it switch.",
  sign: "Sign the message in your wallet. It is free and moves nothing.",
  verify: "Checking the signature.",
};

function Connected({ address, onDisconnect, busy }: { address: string; onDisconnect: () => void; busy: boolean }) {
  return (
    <>
      <p className="max-w-xl text-bone-muted">
        <Copyable text={address} what="address" className="text-bone" /> is yours. What it holds is shown with the rest. Only what is in
        your smart wallet can be sold or opened here.
      </p>
      <Button kind="quiet" size="small" busy={busy} onClick={onDisconnect} className="mt-4">
        Disconnect
      </Button>
    </>
  );
}

function WalletSelect({ list, busy, onChoose }: { list: BrowserWallet[]; busy: string; onChoose: (wallet: BrowserWallet) => void }) {
  return (
    <ul className="mt-4 flex flex-wrap gap-3">
      {list.map((wallet) => (
        <li key={wallet.id}>
          <Button
            kind="quiet"
            size="small"
            busy={busy === wallet.id}
            disabled={busy !== "" && busy !== wallet.id}
            onClick={() => onChoose(wallet)}
          >
            {wallet.icon && <img src={wallet.icon} alt="" width={20} height={20} className="size-5" />}
            Connect {wallet.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/**
 * The player's external wallet: connects one of this browser's wallets by a signature, and disconnects it. Its
 * holdings are listed with the smart wallet's.
 */
export function VerifiedWallet({ className }: { className?: string }) {
  const address = useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress);
  const { list } = useStore(browserWallets, (w) => w);
  const [busy, setBusy] = useState("");
  const [step, setStep] = useState<Step | null>(null);
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const approval = useApproval();
  useEffect(() => watchBrowserWallets(), []);

  async function run(who: string, work: () => Promise<void>) {
    if (busy) return;
    setBusy(who);
    setProblem("");
    setDone("");
    try {
      await work();
    } catch (error) {
      setProblem(ownWalletProblem(error));
    } finally {
      setBusy("");
      setStep(null);
    }
  }

  async function approvedConnecting(call: () => Promise<void>): Promise<void> {
    if (await approval.run(call)) setDone("Your wallet is connected.");
  }

  return (
    <section aria-labelledby="verified-wallet" className={cn("min-w-0", className)}>
      <h2 id="verified-wallet" className="display mb-3 text-4xl">
        Your own wallet
      </h2>
      {address ? (
        <Connected
          address={address}
          busy={busy !== ""}
          onDisconnect={() =>
            void run("disconnect", async () => setDone((await approval.run(disconnectOwnWallet)) ? "Your wallet is disconnected." : ""))
          }
        />
      ) : (
        <>
          <p className="max-w-xl text-bone-muted">
            {list.length
              ? "Connect the wallet you brought along, and what it holds is shown here with the rest. You sign one message; nothing moves."
              : "Have things in a wallet of your own? None is to be found in this browser. Install one, or open this page " +
                "inside your wallet's app."}
          </p>
          <WalletSelect
            list={list}
            busy={busy}
            onChoose={(wallet) => void run(wallet.id, async () => connectOwnWallet(providerOf(wallet.id), setStep, approvedConnecting))}
          />
        </>
      )}
      <p role="status" className="mt-3 text-bone-muted empty:hidden">
        {step ? steps[step] : done}
      </p>
      {approval.form && <div className="mt-5">{approval.form}</div>}
      {problem && (
        <p role="alert" className="mt-3 text-bad">
          {problem}
        </p>
      )}
    </section>
  );
}
