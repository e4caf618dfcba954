import { pageMeta } from "~/components/site/page-meta";
import { Purse } from "~/features/holdings/components/purse";

export const meta = () =>
  pageMeta(
    "Tokens",
    "How many tokens of the games you have, kind by kind, and how many more lie in the holds of your arks by the tariff of today.",
    {
      index: false,
    },
  );

/** The player's tokens: four currencies of the games. */
export default function Tokens() {
  return (
    <Purse
      of="tokens"
      caption="Out of the hold"
      heading="My tokens"
      lead="Tokens is an old name for four currencies of the games. They come out of the holds of arks, and games hand them out."
    />
  );
}
