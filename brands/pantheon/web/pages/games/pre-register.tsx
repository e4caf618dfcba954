import { page } from "#brand/content/support/pre-register.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";
import bell from "~art/scene-bell.svg";

// The form and the content below are loaded lazily: their prerendered form is already visible.
const PreRegisterForm = deferred(async () => ({
  default: (await import("~/features/contact/components/pre-register-form")).PreRegisterForm,
}));
const Terms = deferred(() => import("./pre-register-terms"));

export const meta = () => pageMeta(page.title, page.description);

/** Pre-registration for King of Destiny; beside it the bell that will announce the opening. */
export default function PreRegister() {
  return (
    <div className="relative grid grid-cols-1 lg:grid-cols-[1fr_1.15fr]">
      <div className="relative overflow-hidden max-lg:h-[52svh] lg:sticky lg:top-16 lg:h-[calc(100svh-4rem)] lg:border-r lg:border-line">
        <img
          src={bell}
          alt=""
          width={900}
          height={1200}
          fetchPriority="high"
          className="h-full w-full object-cover object-[50%_20%] lg:object-[50%_60%]"
        />
        <div className="absolute inset-0 bg-linear-to-t from-night from-6% to-transparent to-48% lg:hidden" />
        <div className="scale-y absolute inset-y-0 right-0 hidden w-2.5 rotate-180 lg:block" />
      </div>
      <div className="relative px-4 pb-10 max-lg:-mt-14 sm:px-8 lg:px-20 lg:pt-24">
        <p className="caption text-bronze">Be there at the first bell</p>
        <h1 className="display mt-4 max-w-[4.96em] text-[clamp(4rem,7.4vw,7rem)]">{page.heading}</h1>
        <p className="mt-7 max-w-[32rem] text-lg">{page.lead}</p>
        <div className="mb-20 mt-10 max-w-[32rem]">
          <PreRegisterForm />
        </div>
        <Terms />
      </div>
    </div>
  );
}
