import { pageMeta } from "~/components/site/page-meta";
import { Purse } from "~/features/holdings/components/purse";

export const meta = () =>
  pageMeta(
    "Followers",
    "How many followers you have, kind by kind, and how many more your arks would bring ashore by the tariff of today.",
    { index: false },
  );

/** The followers a player has. */
export default function Followers() {
  return (
    <Purse
      of="followers"
      caption="Who came ashore"
      heading="My followers"
      lead="You get followers by breaking up arks and in games. These are yours."
    />
  );
}
