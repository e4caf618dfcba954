import { legal } from "#brand/legal";
import { pageMeta } from "~/components/site/page-meta";
import { TextLink } from "~/components/ui/link";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";

/** Loaded lazily: the text is read first. */
const SupportForm = deferred(async () => ({ default: (await import("~/features/contact/components/support-form")).SupportForm }));

export const meta = () =>
  pageMeta("Help", "Write to us about your account, your wallet, a purchase or a game. We answer by email, as a rule within two days.");

/** Where players write to us. */
export default function Help() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 py-20 sm:px-8">
      <h1 className="display text-hero">Help</h1>
      <p className="mt-6 max-w-[34rem] text-lg">
        Write to us here, or to <a href={`mailto:${legal.email}`}>{legal.email}</a>. To leave us, see{" "}
        <TextLink to={paths.deleteAccount}>Delete your account</TextLink>.
      </p>
      <div className="mt-10 max-w-[36rem]">
        <SupportForm />
      </div>
    </div>
  );
}
