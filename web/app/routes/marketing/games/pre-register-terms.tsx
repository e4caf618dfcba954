import { Prose } from "~/components/site/prose";
import Text from "~/content/support/pre-register.mdx";

/** What comes of leaving an address. */
export default function Terms() {
  return (
    <Prose>
      <Text />
    </Prose>
  );
}
