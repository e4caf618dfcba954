import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { brand } from "#brand";
import { Copyable, CopyIconButton } from "~/components/ui/copyable";
import { CheckIcon } from "~/components/ui/market-icons";
import { configQuery } from "~/features/config/config";
import { useWalletAddress } from "~/features/wallet/balance";
import { isSameAddress } from "~/lib/token";
import type { Names } from "../queries";

/** A wallet: "You", the brand if it is the one that sells the packs, the display name of its player, or its address. */
export function Who({ address, names }: { address: string; names: Names }) {
  const own = useWalletAddress();
  const { data: config } = useQuery(configQuery);
  const is = (other = "") => isSameAddress(other, address);
  if (is(own)) return <span>You</span>;
  let name: ReactNode = names[address];
  // Players may choose the brand's name too, and any words, but no picture.
  if (is(config?.contracts.managerBackendWallet))
    name = (
      <>
        {brand.name}{" "}
        <span role="img" aria-label="official" className="caption inline-flex items-center gap-1 align-middle text-bronze">
          <CheckIcon size={14} />
          Official
        </span>
      </>
    );
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
