import { Copyable, CopyIconButton } from "~/components/ui/copyable";
import { useWalletAddress } from "~/features/wallet/balance";
import type { Names } from "../queries";

/** A wallet: "You", the display name of its player, or its address. */
export function Who({ address, names }: { address: string; names: Names }) {
  const own = useWalletAddress();
  if (own.toLowerCase() === address.toLowerCase()) return <span>You</span>;
  const name = names[address];
  if (!name) return <Copyable text={address} what="address" />;
  return (
    <span className="inline-flex max-w-full items-center">
      <span className="truncate" title={address}>
        {name}
      </span>
      <CopyIconButton text={address} what="address" />
    </span>
  );
}
