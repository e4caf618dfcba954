import { cn } from "~/lib/cn";
import { PackPiece } from "../opening/pack-art";
import type { Pack } from "../opening/pull";

/** A sealed pack. It is decorative. */
export function PackPicture({ pack, className }: { pack: Pack; className?: string }) {
  return (
    <span className={cn("relative block aspect-[300/430] drop-shadow-[0_0.75rem_1.25rem_rgb(0_0_0/0.5)]", className)}>
      <PackPiece pack={pack} piece="body" />
      <PackPiece pack={pack} piece="strip" />
    </span>
  );
}
