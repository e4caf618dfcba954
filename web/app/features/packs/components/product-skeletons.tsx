import { Skeleton } from "~/components/ui/states";

/** On a phone the kinds are beside each other, to be pushed. All are of one height, which is known before they load. */
export const row =
  "relative -mx-4 flex snap-x scroll-px-4 gap-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:grid " +
  "sm:grid-cols-2 sm:overflow-visible sm:px-0 xl:grid-cols-3";
export const card = "min-h-[22rem] shrink-0 snap-start max-sm:w-[min(21rem,88%)]";

/** Stand for the kinds of pack until they are loaded. */
export function ProductSkeletons() {
  return (
    <div className={row} aria-busy="true">
      {["general", "avatar", "god"].map((kind) => (
        <Skeleton key={kind} className={card} />
      ))}
    </div>
  );
}
