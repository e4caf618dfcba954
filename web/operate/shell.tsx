import { type ReactNode, useState } from "react";
import { NavLink, Outlet } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { Dialog } from "~/components/ui/dialog";
import { MenuIcon } from "~/components/ui/icon";
import { Toaster } from "~/components/ui/toasts";
import { cn } from "~/lib/cn";
import { useMay, useSession } from "./session";
import { usePageStart } from "./ui/page";

/** The pages, with the right that each needs; "" for none. */
const pages: { to: string; label: string; right: string }[] = [
  { to: "/", label: "Home", right: "" },
  { to: "/players", label: "Players", right: "player show" },
  { to: "/rewards", label: "Rewards", right: "reward list" },
  { to: "/shop", label: "Webstore", right: "shop list" },
  { to: "/gas", label: "Gas", right: "gas show" },
  { to: "/support", label: "Support", right: "support list" },
  { to: "/log", label: "Log", right: "audit list" },
  { to: "/team", label: "Team", right: "operator list" },
  { to: "/account", label: "Account", right: "" },
];

function Pages({ onFollow }: { onFollow?: () => void }) {
  const may = useMay();
  return (
    <ul>
      {pages
        .filter(({ right }) => !right || may(right))
        .map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === "/"}
              onClick={onFollow}
              className={({ isActive }) =>
                cn(
                  "block border-l-2 px-4 py-2.5 lg:py-1.5",
                  isActive ? "border-ember bg-night-2 text-bone" : "border-transparent text-bone-muted hover:bg-night-2 hover:text-bone",
                )
              }
            >
              {label}
            </NavLink>
          </li>
        ))}
    </ul>
  );
}

const Name = () => (
  <span className="flex items-center gap-2.5">
    <span className="text-bronze">
      <Mark size={22} />
    </span>
    <span>
      <span className="display">{brand.name}</span> <span className="text-bone-muted">Operate</span>
    </span>
  </span>
);

const Who = () => {
  const { name, role } = useSession();
  return (
    <p className="px-4 text-sm text-bone-muted [overflow-wrap:anywhere]">
      {name}, {role}
    </p>
  );
};

/** The frame of the pages: their list at the side, on small screens behind a button. */
export function Shell() {
  const [open, setOpen] = useState(false);
  usePageStart();
  return (
    <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <a href="#main" className="sr-only z-50 rounded bg-night-3 px-4 py-2 focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the content
      </a>
      <header className="sticky top-0 z-20 flex items-center justify-between border-b border-line bg-night-1 px-4 lg:hidden">
        <Name />
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label="Menu"
          className="-mr-3 grid size-12 place-items-center"
          onClick={() => setOpen(true)}
        >
          <MenuIcon />
        </button>
      </header>
      <Dialog kind="drawer" open={open} onOpenChange={setOpen} title="Menu">
        <nav aria-label="Pages" className="py-3">
          <Pages onFollow={() => setOpen(false)} />
        </nav>
        <div className="border-t border-line py-4">
          <Who />
        </div>
      </Dialog>
      <aside className="sticky top-0 hidden h-svh flex-col border-r border-line bg-night-1 lg:flex">
        <div className="px-4 py-4">
          <Name />
        </div>
        <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto">
          <Pages />
        </nav>
        <div className="border-t border-line py-3">
          <Who />
        </div>
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 px-4 pb-16 pt-6 outline-none lg:px-8">
        <div className="mx-auto max-w-6xl">
          <Outlet />
        </div>
      </main>
      <Toaster />
    </div>
  );
}

/** The frame of what is shown without a session. */
export function Alone({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid min-h-svh max-w-md content-center gap-5 px-5 py-10 outline-none">
      <Name />
      <h1 className="title">{heading}</h1>
      {children}
    </main>
  );
}
