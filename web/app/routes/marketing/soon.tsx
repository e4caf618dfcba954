import { useLocation } from "react-router";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { type SoonPath, soonPages } from "~/content/soon";
import { paths } from "~/lib/paths";
import type { Route } from "./+types/soon";

const pageAt = (pathname: string) => soonPages[pathname.replace(/(.)\/$/, "$1") as SoonPath];

export const meta: Route.MetaFunction = ({ location }) => {
  const page = pageAt(location.pathname);
  return pageMeta(page.title, page.description);
};

/** A page whose capability opens later. It says so, and leads to what is open now. */
export default function Soon() {
  const page = pageAt(useLocation().pathname);
  return (
    <div className="relative mx-auto grid max-w-[100rem] gap-10 px-4 pb-10 pt-16 sm:px-8 lg:min-h-[70svh] lg:grid-cols-[1fr_1.1fr] lg:items-end lg:pt-28">
      <div className="animate-rise">
        <p className="caption text-bronze">{page.title}</p>
        <h1 className="display mt-4 text-[clamp(3.2rem,8vw,7rem)] leading-[0.88]">{page.heading}</h1>
      </div>
      <div className="border-l border-bronze-dim pl-6 lg:pl-10">
        <p className="display flex items-center gap-3 text-2xl text-ember-bright">
          <svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
            <path d="M6 3h12M6 21h12M7 3c0 5 10 7 10 12v6M17 3c0 5-10 7-10 12v6" />
          </svg>
          Opens soon
        </p>
        <p className="mt-4 max-w-xl text-lg">{page.text}</p>
        <ButtonLink to={paths.market} kind="quiet" className="mt-8">
          See what is on the market
        </ButtonLink>
      </div>
    </div>
  );
}
