import { pageMeta } from "~/components/site/page-meta";
import { MyPacks } from "~/features/packs/components/my-packs";

export const meta = () =>
  pageMeta("My packs", "The KOD packs that you own, and what came out of those that you have opened, each with its receipt.", {
    index: false,
  });

/** The player's packs and their opening. */
export default function PacksPage() {
  return <MyPacks />;
}
