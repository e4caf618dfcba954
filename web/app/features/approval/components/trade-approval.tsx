import { Dialog } from "~/components/ui/dialog";
import { Price } from "~/components/ui/price";
import { marketCurrency } from "~/lib/registry";
import type { AskedTrades, WeighedTrade } from "../trades";
import { ApprovalForm } from "./approval-form";

/** Why a trade needs an approval. */
function why({ side, reference }: WeighedTrade): string {
  if (side === "sells") return reference ? "You would get less than usual." : "It was hardly ever sold, so nobody knows what it is worth.";
  return reference
    ? "You would pay more than usual, or a lot to one seller today."
    : "It was hardly ever sold, so nobody knows what it is worth.";
}

function Trade({ trade }: { trade: WeighedTrade }) {
  return (
    <li className="grid gap-1 border-t border-line py-3 first:border-t-0 first:pt-0">
      <p className="[overflow-wrap:anywhere]">
        {trade.side === "sells" ? "Sell " : "Buy "}
        {trade.quantity > 1 && `${trade.quantity} × `}
        {trade.name}
      </p>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <div className="flex gap-2">
          <dt className="text-bone-muted">{trade.quantity > 1 ? "Price of one" : "Price"}</dt>
          <dd>
            <Price value={trade.price} />
          </dd>
        </div>
        <div className="flex gap-2">
          <dt className="text-bone-muted">Usual price</dt>
          <dd>{trade.reference ? <Price value={trade.reference} /> : "not known"}</dd>
        </div>
      </dl>
      <p className="text-sm text-bone-muted">{why(trade)}</p>
    </li>
  );
}

/** Asks for the approval of trades that are far from usual prices: a stolen session must not be able to make them. */
export function TradeApproval({ asked }: { asked: AskedTrades }) {
  const trades = asked.trades.filter((t) => Number(t.risk) > 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || asked.decline()}
      title="Is this you?"
      description={
        `Prices far from the usual ones need a confirmation beyond ${asked.perDay} ${marketCurrency.symbol} a day. ` +
        "It protects you from somebody who uses your session."
      }
    >
      <div className="grid gap-5 p-6">
        <ul>
          {(trades.length ? trades : asked.trades).map((t) => (
            <Trade key={`${t.side} ${t.contract} ${t.tokenId} ${t.price}`} trade={t} />
          ))}
        </ul>
        {asked.approval && (
          <ApprovalForm key={asked.approval.approvalId} approval={asked.approval} action="Confirm" onApproved={asked.approve} />
        )}
      </div>
    </Dialog>
  );
}
