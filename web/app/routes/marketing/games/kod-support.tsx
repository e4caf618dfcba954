import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import { QuestionSearch } from "~/components/site/question-search";
import { TextLink } from "~/components/ui/link";
import Text, { headings, page } from "~/content/support/kod-support.mdx";
import { SupportForm } from "~/features/contact/components/support-form";
import { paths } from "~/lib/paths";
import office from "~art/scene-office.svg";

export const meta = () => pageMeta(page.title, page.description);

const groups = headings.filter((h) => h.depth === 2);

/** The support of King of Destiny: answers that can be searched, and a letter for what is not among them. */
export default function KodSupport() {
  return (
    <>
      <header className="relative border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-10 sm:px-8 lg:grid-cols-[1fr_1.2fr]">
          <div className="px-4 pb-14 sm:px-0 lg:self-center lg:py-20">
            <p className="caption text-bronze">King of Destiny · Support</p>
            <h1 className="display text-hero mt-4 max-w-[8ch]">{page.heading}</h1>
            <p className="mt-7 max-w-[32rem] text-lg">{page.lead}</p>
          </div>
          <div className="relative overflow-hidden max-lg:order-first max-lg:mb-8 sm:-mx-8 lg:ml-0">
            <img
              src={office}
              alt=""
              width={1100}
              height={900}
              fetchPriority="high"
              className="w-full max-lg:max-h-[56svh] max-lg:object-cover max-lg:object-[50%_62%] lg:h-full lg:object-cover"
            />
            <div className="absolute inset-0 hidden bg-[linear-gradient(90deg,var(--color-night),transparent_24%)] lg:block" />
          </div>
        </div>
      </header>
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-10 px-4 pt-14 sm:px-8 lg:grid-cols-[1fr_3fr] lg:pt-24">
        <nav aria-label="On this page" className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
          <p className="caption text-bronze">Counters</p>
          <ol className="mt-3 grid gap-1">
            {groups.map((h) => (
              <li key={h.id}>
                <a href={`#${h.id}`} className="inline-block py-1 leading-snug text-bone-muted hover:text-bone">
                  {h.text}
                </a>
              </li>
            ))}
          </ol>
          <p className="mt-8 border-t border-line pt-5">
            <TextLink to={paths.deleteAccount}>Delete your account</TextLink>
          </p>
        </nav>
        <div className="min-w-0">
          <QuestionSearch label="Search the answers">
            <Prose>
              <Text />
            </Prose>
          </QuestionSearch>
          <div className="mt-10 max-w-[36rem]">
            <SupportForm />
          </div>
        </div>
      </div>
    </>
  );
}
