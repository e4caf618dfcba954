import { Link, useLocation } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";
import { MarketHome } from "./header";

/** The marketplace's header for visitors. */
export function VisitorsHeader() {
  const { pathname, search } = useLocation();
  const from = pathname + search;
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-night">
      <div className="mx-auto flex h-16 max-w-[110rem] items-center gap-2 px-4 sm:gap-4 sm:px-8">
        <MarketHome />
        <div className="ml-auto flex items-center gap-2 sm:gap-4">
          <Link to={paths.login(from)} className="display flex h-11 items-center rounded px-2.5 text-lg hover:bg-night-2">
            Sign in
          </Link>
          <ButtonLink to={paths.register(from)} size="small">
            Create an account
          </ButtonLink>
        </div>
      </div>
    </header>
  );
}
