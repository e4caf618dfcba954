import type { ComponentProps, ReactNode } from "react";
import { Later } from "~/components/site/later";
import { ExternalLink, linkLook, TextLink } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { cn } from "~/lib/cn";

/** Running text: 60 to 70 characters per line, headings and tables in the site's type. */
export function Prose({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("prose", className)}>{children}</div>;
}

/** A link in a text: to a page of the site, an anchor on this one, or another site. */
function Anchor({ href = "", children, ...props }: ComponentProps<"a">) {
  if (/^https?:/.test(href)) {
    return (
      <ExternalLink href={href} className={linkLook}>
        {children}
      </ExternalLink>
    );
  }
  if (/^(#|mailto:)/.test(href)) {
    return (
      <a href={href} className={linkLook} {...props}>
        {children}
      </a>
    );
  }
  return <TextLink to={href}>{children}</TextLink>;
}

/** A table or preformatted text that scrolls on its own if it is wider than the page; the keyboard can scroll it. */
const scrolling = (Tag: "pre" | "table") => (props: object) => (
  <ScrollArea className={`prose-${Tag}`}>
    <Tag {...props} />
  </ScrollArea>
);

/** A column heading. An empty one is not a heading. */
function ColumnHead({ children, ...props }: ComponentProps<"th">) {
  return children ? (
    <th scope="col" {...props}>
      {children}
    </th>
  ) : (
    <td />
  );
}

/** Facts in figures or few words: names on the left, values on the right. */
function Facts({ children }: { children: ReactNode }) {
  return <dl className="prose-facts">{children}</dl>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A note beside the text. */
function Note({ children }: { children: ReactNode }) {
  return <aside className="prose-note">{children}</aside>;
}

/** States that what the text describes is not built yet, and what applies until then. */
function NotBuilt({ children }: { children: ReactNode }) {
  return (
    <div role="note" className="prose-unbuilt">
      <Later label="Not built yet">{children}</Later>
    </div>
  );
}

/** An image in a text. The build fills in its file and size from `name`. */
function Picture({ children, ...image }: ComponentProps<"img">) {
  return (
    <figure className="prose-picture">
      <img alt="" loading="lazy" {...image} />
      {children && <figcaption>{children}</figcaption>}
    </figure>
  );
}

const components = { a: Anchor, pre: scrolling("pre"), table: scrolling("table"), th: ColumnHead, Facts, Fact, Note, NotBuilt, Picture };

/** The components of MDX files: the build makes the files call this. */
export const useMDXComponents = () => components;
