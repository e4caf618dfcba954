import { useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { deferred } from "~/lib/deferred";
import type { Money } from "../queries";
import { CopyButton, WholeAddress } from "./address";

/** Loaded with the encoder. Without it there is the address, written out. */
const QrCode = deferred(() => import("./qr-code").catch(() => ({ default: () => null })), <div className="size-60" />);

/** Where money is sent to, and what must not be sent there. */
export function AddMoney({ money }: { money: Money }) {
  const { data: config } = useQuery(configQuery);
  const nameOf = (id: number) => [config?.gameChain, config?.mainChain].find((chain) => chain?.id === id)?.name ?? `chain ${id}`;
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1.65fr_1fr]">
      <div className="grid content-start gap-6">
        <h2 className="display text-4xl">Add money</h2>
        <p className="max-w-xl">Send to this address from another wallet or from an exchange. What arrives is shown here by itself.</p>
        <div className="border-l border-bronze-dim pl-5">
          <p className="caption mb-2 text-bone-muted">Your wallet's address</p>
          <WholeAddress address={money.smartWallet} />
        </div>
        <CopyButton text={money.smartWallet}>Copy the address</CopyButton>
        <div className="max-w-xl border-l-2 border-bad bg-night-1 px-5 py-4">
          <p className="font-bold">Send only these, each on its own chain:</p>
          <ul className="mt-2 grid gap-3">
            {money.balances.map(({ symbol, chainId, contract }) => (
              <li key={contract}>
                {symbol} on {nameOf(chainId)} (chain {chainId})
                <span className="mt-0.5 block text-sm text-bone-muted">
                  Token contract <WholeAddress address={contract} className="text-base" />
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-4">
            Another token, or the same one on another chain, may be lost for good. If you are not sure, send a small amount first.
          </p>
        </div>
      </div>
      <div>
        <QrCode address={money.smartWallet} />
        <p className="mt-3 max-w-60 text-sm text-bone-muted">
          The code holds the address and nothing else. Compare what your wallet reads with it.
        </p>
      </div>
    </div>
  );
}
