import Text, { headings } from "#brand/content/support/kod-support.mdx";
import { Prose } from "~/components/site/prose";
import { QuestionSearch } from "~/components/site/question-search";
import { TextLink } from "~/components/ui/link";
import { SupportForm } from "~/features/contact/components/support-form";
import { paths } from "~/lib/paths";

const groups = headings.filter((h) => h.depth === 2);

/** The answers by topic, a search over them, and the contact form. */
export default function Counters() {
  return (
    <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-10 px-4 pt-14 sm:px-8 lg:grid-cols-[1fr_3fr] lg:pt-24">
      <nav aria-label="On this page" className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
        <p className="caption text-bronze">Topics</p>
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
  );
}
