import { Link } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { links, smallPrint } from "#brand/navigation";
import { ExternalLink } from "~/components/ui/link";

/** The site's footer: links within the site and to other sites. */
export function Footer() {
  const link = "inline-flex min-h-11 min-w-11 items-center text-bone-muted hover:text-bone lg:min-h-9";
  return (
    <footer className="mt-28 border-t border-line">
      <div className="scale-x h-2.5" />
      <div className="mx-auto grid max-w-[100rem] grid-cols-2 gap-x-6 gap-y-12 px-4 py-14 sm:px-8 md:grid-cols-[1.6fr_1fr_1fr] md:gap-x-12">
        <div className="max-w-sm max-md:col-span-2">
          <p className="flex items-center gap-3 text-bronze">
            <Mark size={44} />
            <span className="display text-4xl text-bone">{brand.name}</span>
          </p>
          <p className="mt-4 text-bone-muted">Items live in your own smart wallet, on a public chain.</p>
        </div>
        <nav aria-label="Footer">
          <h2 className="caption text-bronze">Explore</h2>
          <ul className="mt-3">
            {links.map((l) => (
              <li key={l.to}>
                <Link to={l.to} className={link}>
                  {l.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label="Social">
          <h2 className="caption text-bronze">Follow us</h2>
          <ul className="mt-3">
            {Object.values(brand.social).map((s) => (
              <li key={s.href}>
                <ExternalLink href={s.href} className={link}>
                  {s.label}
                </ExternalLink>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <nav aria-label="Small print" className="mx-auto max-w-[100rem] px-4 pb-10 sm:px-8">
        <ul className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-5 text-sm">
          {smallPrint.map((l) => (
            <li key={l.to}>
              <Link to={l.to} className={link}>
                {l.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="meander text-bronze-dim" />
    </footer>
  );
}
