import { Button, ButtonLink } from "~/components/ui/button";
import { Copyable } from "~/components/ui/copyable";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { connectWallet } from "../connection";
import { type WalletState, wallet } from "../store";

const steps: { step: WalletState["step"]; title: string; text: string }[] = [
  { step: "token", title: "Session checked", text: "Your sign-in gives access to the signer for fifteen minutes, and to nothing else." },
  {
    step: "embedded",
    title: "Key created",
    text: "The signer makes a key for you and keeps it encrypted. It signs only what it can check.",
  },
  { step: "smart", title: "Wallet created", text: "Your key controls a smart wallet on the chain. You pay no fees for gas." },
  {
    step: "store",
    title: "Linked to your account",
    text: "Both addresses are saved with your account, so that what you buy comes to you.",
  },
];

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="caption text-bone-muted">{label}</dt>
      <dd className="font-bold">{value ? <Copyable text={value} what="address" /> : "–"}</dd>
    </div>
  );
}

/** The creation of a wallet, step by step, with a retry button. */
export function ConnectionSteps() {
  const { status, step, error, embeddedAddress, smartAddress } = useStore(wallet, (w) => w);
  const reached = step === "done" ? steps.length : steps.findIndex((s) => s.step === step);
  return (
    <div>
      <ol className="mt-8 grid gap-5">
        {steps.map((s, index) => {
          const done = index < reached;
          const now = index === reached && status !== "idle";
          return (
            <li key={s.step} aria-current={now ? "step" : undefined} className="flex gap-5">
              <span
                className={cn(
                  "ml-1 mt-1.5 grid size-5 shrink-0 rotate-45 place-items-center border",
                  done ? "border-bronze bg-bronze" : now && status === "failed" ? "border-bad" : now ? "border-ember" : "border-bronze-dim",
                )}
              >
                {now && status === "connecting" && <span className="size-1.5 animate-pulse bg-ember" />}
              </span>
              <span className={done || now ? "" : "text-bone-muted"}>
                <span className="display block text-2xl">
                  {s.title}
                  {done && <span className="sr-only"> (done)</span>}
                </span>
                <span className="text-bone-muted">{s.text}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <p role="status" className="sr-only">
        {status === "connected" ? "Your wallet is ready." : status === "connecting" ? "Your wallet is being connected." : ""}
      </p>
      {status === "failed" && (
        <div role="alert" className="mt-8 grid justify-items-start gap-3 border-l-2 border-bad pl-5">
          <p className="font-bold">{error}</p>
          <p className="text-bone-muted">Nothing is lost. Try once more; if it keeps failing, come back in a few minutes.</p>
          <Button size="small" onClick={() => connectWallet().catch(() => {})}>
            Try again
          </Button>
        </div>
      )}
      {status === "connected" && (
        <>
          <dl className="mt-8 flex flex-wrap gap-x-12 gap-y-4 border-t border-line-strong pt-5">
            <Address label="Smart wallet" value={smartAddress} />
            <Address label="Its key" value={embeddedAddress} />
          </dl>
          <p className="mt-8 flex flex-wrap gap-3">
            <ButtonLink to={paths.market}>To the market</ButtonLink>
            <ButtonLink to={paths.money} kind="quiet">
              Your money
            </ButtonLink>
          </p>
        </>
      )}
    </div>
  );
}
