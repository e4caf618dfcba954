import { Outlet } from "react-router";
import { Footer } from "./site/footer";
import { Header } from "./site/header";

/** The frame of every page outside the marketplace. */
export default function Site() {
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-ember px-4 py-2 text-ember-ink focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the page
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
