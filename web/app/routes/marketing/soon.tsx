import { useLocation } from "react-router";
import { Later } from "~/components/site/later";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { type SoonPage, soonPages } from "~/content/soon";
import { paths } from "~/lib/paths";
import chest from "~art/chest.svg";
import dawn from "~art/god-dawn.svg";
import labyrinth from "~art/god-labyrinth.svg";
import moon from "~art/god-moon.svg";
import sea from "~art/god-sea.svg";
import immortal from "~art/immortal.svg";
import pass from "~art/pass-ultimate.svg";
import kingOfDestiny from "~art/scene-king-of-destiny.svg";
import type { Route } from "./+types/soon";

const card = (src: string) => ({ src, width: 600, height: 800 });
const emblem = (src: string) => ({ src, width: 640, height: 640 });

/** Pictures of the pages that have one of their own. */
const pictures: Record<string, ReturnType<typeof card>> = {
  "/kod-leaderboard": emblem(kingOfDestiny),
  "/elder-gods": card(dawn),
  "/infinipass": card(pass),
  "/vault/claim": card(moon),
  "/webstore": card(chest),
  "/getuserinfo": card(chest),
  "/portal/power-pack": card(chest),
  "/our-team": card(immortal),
  "/shipwright": card(sea),
};

function pageAt(pathname: string): { page: SoonPage; picture: ReturnType<typeof card> } {
  const path = pathname.replace(/(.)\/$/, "$1");
  const page = soonPages[path];
  if (!page) throw new Error(`There is no text for ${path} in content/soon.ts.`);
  return { page, picture: pictures[path] ?? card(labyrinth) };
}

export const meta: Route.MetaFunction = ({ location }) => {
  const { page } = pageAt(location.pathname);
  return pageMeta(page.title, page.description, { index: page.index ?? true });
};

/** A page whose capability opens later. It says so, and leads to what is open now. */
export default function Soon() {
  const { page, picture } = pageAt(useLocation().pathname);
  return (
    <PageHero caption={page.title} heading={page.heading} picture={picture}>
      <Later className="mt-10">{page.text}</Later>
      <ButtonLink to={paths.market} kind="quiet" className="mt-8">
        See what is on the market
      </ButtonLink>
    </PageHero>
  );
}
