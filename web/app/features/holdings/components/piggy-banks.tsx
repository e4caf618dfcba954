import { useQuery } from "@tanstack/react-query";
import { FailedLine } from "~/components/ui/failed-line";
import { isUnderWay, useBurning } from "~/features/burning/burn";
import { BurnPanel } from "~/features/burning/components/burn-panel";
import { Chooser } from "~/features/burning/components/chooser";
import { texts } from "~/features/burning/texts";
import { OpenRewards } from "~/features/reward/components/open-rewards";
import { plural } from "~/lib/format";
import { tokenKey } from "~/lib/token";
import { burnablesOf } from "../burnables";
import { type Holding, piggyBanksConfigQuery } from "../queries";

/** The player's piggy banks that are being broken, and what was in the last ones. */
export function BrokenBanks() {
  const burning = useBurning("piggy-bank");
  return (
    <div className="mb-12 empty:hidden">
      {burning && burning.state !== "failed" && <BurnPanel burning={burning} />}
      <OpenRewards origin="piggy-bank" except={burning?.txId} title={({ amount }) => plural(amount, texts["piggy-bank"].one)} />
    </div>
  );
}

/** Chooses piggy banks to break: keepsakes too. */
export function BreakBanks({ banks }: { banks: Holding[] }) {
  const burning = useBurning("piggy-bank");
  const { data, error, refetch } = useQuery(piggyBanksConfigQuery);
  if (isUnderWay(burning)) return null;
  if (!data && error) return <FailedLine onRetry={refetch}>What these hold did not load, so none can be broken just now.</FailedLine>;
  const burnables = burnablesOf(banks, (holding) => {
    const bank = data?.banks.find((b) => tokenKey(b) === tokenKey(holding));
    return bank && { gives: { fa: bank.fate }, ...(bank.vip ? { mark: "VIP" } : {}) };
  });
  return burnables.length ? <Chooser origin="piggy-bank" chain="gameChain" burnables={burnables} /> : null;
}
