import Text from "#brand/content/support/pre-register.mdx";
import { Prose } from "~/components/site/prose";

/** What happens with a submitted address. */
export default function Terms() {
  return (
    <Prose>
      <Text />
    </Prose>
  );
}
