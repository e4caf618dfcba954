import { brand } from "#brand";
import { OwnPage } from "~/components/site/own-page";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";

/** Loaded lazily: its content comes from the server. */
const NewsList = deferred(async () => ({ default: (await import("~/features/news/components/news")).NewsList }));

export const meta = () =>
  pageMeta("News", `What is new at ${brand.name}: seasons, sales, changes of the rules, and what is being worked on.`);

/** The page of all news. */
export default function News() {
  return (
    <OwnPage heading="News" lead="Updates and announcements, newest first.">
      <NewsList />
    </OwnPage>
  );
}
