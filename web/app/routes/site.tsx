import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { Footer } from "./site/footer";
import { Header } from "./site/header";

/** The layout of every page outside the marketplace. */
export default function Site() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  // After a link, screen readers and the keyboard continue at the beginning of the new page.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-ember px-4 py-2 text-ember-ink focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the page
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
