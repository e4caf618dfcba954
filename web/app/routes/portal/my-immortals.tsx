import { pageMeta } from "~/components/site/page-meta";
import { Immortals } from "~/features/holdings/components/immortals";

export const meta = () =>
  pageMeta(
    "My immortals",
    "The immortals you keep, the rarest first: what each is called to, where they stand, and what they carry up the wall.",
    {
      index: false,
    },
  );

/** The player's immortals. */
export default function MyImmortals() {
  return <Immortals />;
}
