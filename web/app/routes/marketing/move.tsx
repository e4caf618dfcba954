import { OwnPage } from "~/components/site/own-page";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";

/** Loaded lazily: its content comes from the server. */
const Moves = deferred(async () => ({ default: (await import("~/features/moving/components/moves")).Moves }));

export const meta = () =>
  pageMeta(
    "Moving to a new chain",
    "How far the game is on its way to a new chain, what you held on the old one and how to claim it, and how both chains compare.",
  );

/** The page of moves to another chain, for everybody. */
export default function MoveRoute() {
  return (
    <OwnPage
      heading="Moving to a new chain"
      lead="A chain can end. Then what players hold moves to another one, once, and to the same players. Anybody can check it here."
    >
      <Moves />
    </OwnPage>
  );
}
