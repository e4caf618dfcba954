import { Prose } from "~/components/site/prose";
import Text from "~/content/support/pre-register.mdx";

/** What happens with a submitted address. */
export default function Terms() {
  return (
    <Prose>
      <Text />
    </Prose>
  );
}
