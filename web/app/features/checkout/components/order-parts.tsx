import { Price } from "~/components/ui/price";
import type { Order } from "../queries";

/** The order's items. */
export function Goods({ order }: { order: Order }) {
  return (
    <ul className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]">
      {order.items.map((item) => (
        <li key={item.listingId}>
          <img src={item.metadata?.image} alt="" width={600} height={800} className="w-full rounded border border-line" />
          <p className="mt-2 font-bold leading-tight">{item.metadata?.name}</p>
          <p className="figures text-sm text-bone-muted">
            {item.quantity > 1 && `${item.quantity} × `}
            <Price value={item.price} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Titles and texts of finished orders. */
export const endings: Partial<Record<Order["state"], { title: string; text: string }>> = {
  complete: { title: "It is yours", text: "Confirmed on chain. It went to your wallet." },
  "partly-complete": { title: "Partly yours", text: "Some of it was no longer for sale. You paid only for what you got." },
  failed: { title: "Nothing was bought", text: "The purchase did not happen and you were not charged." },
};
