import { type ReactNode, useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { focusMain } from "~/lib/focus";

interface PageFrameProps {
  header: ReactNode;
  footer?: ReactNode;
}

/**
 * The route's page below its header, with a link that skips the header. After a link, screen readers and the keyboard continue at the
 * beginning of the new page, unless the page has set the focus itself.
 */
export function PageFrame({ header, footer }: PageFrameProps) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const isSetByPage = document.querySelector("main :focus:not(a)");
    if (!isSetByPage) focusMain();
  }, [pathname]);
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-ember px-4 py-2 text-ember-ink focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the page
      </a>
      {header}
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      {footer}
    </>
  );
}
