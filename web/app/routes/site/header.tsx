import { useEffect, useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { navigation } from "#brand/navigation";
import { ButtonLink } from "~/components/ui/button";
import { CloseIcon, DownIcon, MenuIcon, UserIcon } from "~/components/ui/icon";
import { Menu } from "~/components/ui/menu";
import { Gated } from "~/features/flags/components/gated";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";

function MainMenu() {
  const item =
    "display flex min-h-11 items-center text-xl tracking-wide text-bone-muted transition-colors hover:text-bone " +
    "aria-[current=page]:text-bone";
  return (
    <ul className="flex flex-col lg:flex-row lg:items-center lg:gap-6">
      {navigation.map((entry) =>
        "to" in entry ? (
          <li key={entry.label}>
            <NavLink to={entry.to} className={item}>
              {entry.label}
            </NavLink>
          </li>
        ) : (
          <Gated key={entry.label} flag={entry.flag}>
            <Menu
              labelClassName={cn(item, "flex items-center gap-1.5 group-open:text-bone")}
              label={
                <>
                  {entry.label}
                  <span className="transition-transform group-open:rotate-180">
                    <DownIcon size={14} />
                  </span>
                </>
              }
            >
              <ul
                className={
                  "border-bronze-dim border-l pl-4 lg:absolute lg:-left-4 lg:top-full lg:min-w-48 lg:rounded lg:border " +
                  "lg:border-line-strong lg:bg-night-1 lg:p-4"
                }
              >
                {entry.entries.map((e) => (
                  <li key={e.to}>
                    <NavLink to={e.to} className={item}>
                      {e.label}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </Menu>
          </Gated>
        ),
      )}
    </ul>
  );
}

/** The signed-in player, or a link to the login. On a phone its width is fixed, so that nothing moves when the name loads. */
function Account() {
  const { isAuthenticated, profile } = useStore(session, (s) => s);
  if (isAuthenticated) {
    return (
      <Link to={paths.inventory} className="flex min-h-11 items-center gap-2 text-bone hover:text-ember-bright min-[24rem]:max-sm:w-28">
        <UserIcon />
        <span className="min-w-0 max-w-32 truncate">{profile?.AccountInfo.TitleInfo.DisplayName}</span>
      </Link>
    );
  }
  return (
    <Link
      to={paths.login()}
      className={
        "display inline-flex min-h-11 items-center px-1 text-xl tracking-wide hover:text-ember-bright " +
        "min-[24rem]:max-sm:w-28 min-[24rem]:max-sm:justify-end"
      }
    >
      Sign in
    </Link>
  );
}

/** The site's header: logo, main navigation, account, and the link to the market. Menus close when a page is opened. */
export function Header() {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === key;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenedAt(undefined);
      button.current?.focus();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [open]);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-night">
      <div className="mx-auto flex h-16 max-w-[100rem] items-center gap-5 px-4 sm:px-8">
        <Link to={paths.home} className="flex min-h-11 items-center gap-2.5 text-bone" aria-label={`${brand.name}, home`}>
          <span className="text-bronze">
            <Mark />
          </span>
          <span className="display text-2xl tracking-wider">{brand.name}</span>
        </Link>
        <nav aria-label="Main" className="ml-6 hidden lg:block">
          <MainMenu key={key} />
        </nav>
        <div className="ml-auto flex items-center gap-4 sm:gap-6">
          <Account />
          <ButtonLink to={paths.market} kind="quiet" size="small" className="max-sm:hidden">
            Enter the market
          </ButtonLink>
          <button
            ref={button}
            type="button"
            className="grid size-11 place-items-center rounded noscript:hidden lg:hidden"
            aria-expanded={open}
            aria-controls="mobile-menu"
            aria-label="Menu"
            onClick={() => setOpenedAt(open ? undefined : key)}
          >
            {open ? <CloseIcon size={26} /> : <MenuIcon size={26} />}
          </button>
        </div>
      </div>
      <nav
        id="mobile-menu"
        aria-label="Main"
        hidden={!open}
        className="max-h-[calc(100svh-4rem)] overflow-y-auto border-t border-line bg-night px-4 pb-8 pt-4 sm:px-8 lg:hidden"
      >
        <MainMenu key={key} />
        <ButtonLink to={paths.market} className="mt-6 w-full">
          Enter the market
        </ButtonLink>
      </nav>
    </header>
  );
}
