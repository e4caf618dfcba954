import { useLocation } from "react-router";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { type SoonPath, soonPages } from "~/content/soon";
import { paths } from "~/lib/paths";
import chest from "~art/chest.svg";
import dawn from "~art/god-dawn.svg";
import moon from "~art/god-moon.svg";
import immortal from "~art/immortal.svg";
import pass from "~art/pass-ultimate.svg";
import immortalSiege from "~art/scene-immortal-siege.svg";
import infiniMerge from "~art/scene-infinimerge.svg";
import kingOfDestiny from "~art/scene-king-of-destiny.svg";
import type { Route } from "./+types/soon";

const pictures: Record<SoonPath, string> = {
  "/king-of-destiny": kingOfDestiny,
  "/immortal-siege": immortalSiege,
  "/infinimerge": infiniMerge,
  "/elder-gods": dawn,
  "/infinipass": pass,
  "/vault/claim": moon,
  "/webstore": chest,
  "/our-team": immortal,
  "/kod-leaderboard": kingOfDestiny,
};

const pathAt = (pathname: string) => pathname.replace(/(.)\/$/, "$1") as SoonPath;

export const meta: Route.MetaFunction = ({ location }) => {
  const page = soonPages[pathAt(location.pathname)];
  return pageMeta(page.title, page.description);
};

/** A page whose capability opens later. It says so, and leads to what is open now. */
export default function Soon() {
  const path = pathAt(useLocation().pathname);
  const page = soonPages[path];
  return (
    <div className="relative isolate mx-auto grid grid-cols-1 max-w-[100rem] gap-x-16 gap-y-10 overflow-hidden px-4 pb-10 pt-12 sm:px-8 lg:grid-cols-[1.15fr_1fr] lg:items-center lg:pt-16">
      <div className="animate-rise lg:py-16">
        <p className="caption text-bronze">{page.title}</p>
        <h1 className="display mt-4 text-[clamp(3.4rem,8.5vw,8rem)] leading-[0.87]">{page.heading}</h1>
        <div className="mt-10 border-l border-bronze-dim pl-6">
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
      <img src={pictures[path]} alt="" width={600} height={700} className="mx-auto max-h-[78svh] w-full max-w-[34rem] object-contain" />
    </div>
  );
}
