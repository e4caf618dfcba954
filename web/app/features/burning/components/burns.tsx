import type { ComponentProps, ReactNode } from "react";
import { OpenRewards } from "~/features/reward/components/open-rewards";
import { cn } from "~/lib/cn";
import { isUnderWay, useBurning } from "../burn";
import { BurnPanel } from "./burn-panel";
import { Chooser } from "./chooser";

interface BurnsProps extends ComponentProps<typeof Chooser> {
  /** The heading of a reward that is on its way. */
  title: ComponentProps<typeof OpenRewards>["title"];
  /** Links beside the button that puts the last result away. */
  children?: ReactNode;
  className: string;
}

/** The player's burns of an origin: the last one, what others give, and the choice of what to burn next. */
export function Burns({ title, children, className, ...chooser }: BurnsProps) {
  const burning = useBurning(chooser.origin);
  return (
    <div className={cn("empty:hidden", className)}>
      {burning && burning.state !== "failed" && <BurnPanel burning={burning}>{children}</BurnPanel>}
      <OpenRewards origin={chooser.origin} except={burning?.txId} title={title} />
      {!isUnderWay(burning) && chooser.burnables.length > 0 && <Chooser {...chooser} />}
    </div>
  );
}
