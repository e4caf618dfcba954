import { page } from "#brand/content/support/kod-support.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";
import office from "~art/scene-office.svg";

/** Answers and form are loaded lazily: their prerendered form is already readable. */
const Counters = deferred(() => import("./kod-support-counters"));

export const meta = () => pageMeta(page.title, page.description);

/** The support of King of Destiny: searchable answers, and the contact form. */
export default function KodSupport() {
  return (
    <>
      <header className="relative border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div className="grid grid-cols-1 gap-x-10 lg:grid-cols-[1fr_1.2fr]">
          <div className="px-4 pb-14 sm:px-8 lg:self-center lg:py-20 lg:pl-[max(2rem,calc(50vw-48rem))] lg:pr-0">
            <p className="caption text-bronze">King of Destiny · The harbour office</p>
            <h1 className="display text-hero mt-4 max-w-[2.83em]">{page.heading}</h1>
            <p className="mt-7 max-w-[32rem] text-lg">{page.lead}</p>
          </div>
          <div className="relative overflow-hidden max-lg:order-first max-lg:mb-8">
            <img
              src={office}
              alt=""
              width={900}
              height={900}
              fetchPriority="high"
              className="w-full max-lg:max-h-[56svh] max-lg:object-cover max-lg:object-[50%_62%] lg:h-full lg:object-cover"
            />
            <div className="absolute inset-0 hidden bg-[linear-gradient(90deg,var(--color-night),transparent_24%)] lg:block" />
          </div>
        </div>
      </header>
      <Counters />
    </>
  );
}
