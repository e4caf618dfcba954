import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { PageLoader } from "~/components/ui/loader";
import { Gated } from "~/features/flags/components/gated";
import { Bell } from "~/features/notification/components/bell";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { keys, write } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { PlayerArea } from "../player-area";

interface Entry {
  to: string;
  label: string;
  /** The feature flag without which the page has no content. */
  flag?: string;
  /** Further pages of the same subject, which have no entry of their own. */
  also?: string;
}

/** The player's pages: holdings first, then their history, then the player. */
const entries: Entry[] = entriesOf([
  { to: paths.inventory, label: "What I own" },
  { to: paths.money, label: "Your money" },
  { to: paths.listings, label: "Selling", also: paths.sell },
  { to: paths.watchlist, label: "Watchlist" },
  has.immortals && { to: paths.myImmortals, label: "Immortals" },
  has.powerPacks && { to: paths.powerPacks, label: "Power packs", flag: "power_packs" },
  has.arks && { to: paths.arks, label: "Arks" },
  has.purse("followers") && { to: paths.followers, label: "Followers" },
  has.purse("tokens") && { to: paths.tokens, label: "Tokens" },
  { to: paths.myGames, label: "Games" },
  { to: paths.achievements, label: "Achievements" },
  { to: paths.activity, label: "Activity", also: paths.webstoreOrders },
  { to: paths.settings, label: "Settings" },
]);

/** The entries of what the brand has. */
function entriesOf(all: (Entry | false)[]): Entry[] {
  return all.filter((entry) => entry !== false);
}

function Entry({ to, label, flag, also }: Entry) {
  const { pathname } = useLocation();
  const here = pathname === to || pathname === also;
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const list = here && element.current?.closest("ul");
    if (element.current && list) list.scrollLeft = element.current.offsetLeft - list.clientWidth / 2 + element.current.offsetWidth / 2;
  }, [here]);
  const link = (
    <Link
      ref={element}
      to={to}
      aria-current={here ? "page" : undefined}
      className={cn(
        "display -mb-px block whitespace-nowrap border-b-2 px-3 pb-2.5 pt-3.5 text-xl transition-colors",
        here ? "border-ember text-bone" : "border-transparent text-bone-muted hover:text-bone",
      )}
    >
      {label}
    </Link>
  );
  return flag ? <Gated flag={flag}>{link}</Gated> : <li>{link}</li>;
}

/** The navigation of the player's pages. On a phone it scrolls sideways, to the current page. */
function PlayerMenu() {
  return (
    <nav aria-label="Your account" className="border-b border-line">
      <div className="mx-auto flex max-w-[100rem] items-center pr-1 sm:pr-5">
        <ul className="scroll-edge relative flex flex-1 overflow-x-auto px-1 [scrollbar-width:none] sm:px-5">
          {entries.map((entry) => (
            <Entry key={entry.to} {...entry} />
          ))}
        </ul>
        <Bell />
      </div>
    </nav>
  );
}

const DeletionNotice = deferred(async () => ({ default: (await import("~/features/account/components/deletion-notice")).DeletionNotice }));

/** Says when the account is deleted, if the player has requested that. */
function Leaving() {
  const at = useStore(session, (s) => s.profile?.deletesAt);
  return at && <DeletionNotice at={at} className="mx-4 mt-4 sm:mx-8" />;
}

/** The layout of a player's own pages. */
export default function Portal() {
  useEffect(() => write(keys.marketplaceTheme, null), []);
  return (
    <PlayerArea loader={<PageLoader className="min-h-[70svh]" />}>
      <PlayerMenu />
      <Leaving />
      <Outlet />
    </PlayerArea>
  );
}
