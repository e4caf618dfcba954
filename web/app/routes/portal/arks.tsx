import { pageMeta } from "~/components/site/page-meta";
import { Arks } from "~/features/holdings/components/arks";

export const meta = () =>
  pageMeta(
    "Arks",
    "The arks you hold, what followers and tokens are aboard each, and the Shipwright's tariff for all four kinds of arks.",
    { index: false },
  );

/** The arks a player holds. */
export default function MyArks() {
  return <Arks />;
}
