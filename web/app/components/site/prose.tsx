import type { ComponentProps, ReactNode } from "react";
import { Later } from "~/components/site/later";
import { ExternalLink, linkLook, TextLink } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { cn } from "~/lib/cn";

/** Running text: 60 to 70 characters a line, headings and tables in the site's type. */
export function Prose({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("prose", className)}>{children}</div>;
}

/** A link in a text: to a page of the site, a place on this one, or out. */
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

/** A table that scrolls by itself where it is wider than the page; the keyboard reaches it. */
function Table(props: ComponentProps<"table">) {
  return (
    <ScrollArea className="prose-table">
      <table {...props} />
    </ScrollArea>
  );
}

/** The head of a column. An empty one heads nothing. */
function ColumnHead({ children, ...props }: ComponentProps<"th">) {
  return children ? (
    <th scope="col" {...props}>
      {children}
    </th>
  ) : (
    <td />
  );
}

/** Facts in figures or few words: names on the left, what is true of them on the right. */
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

/** Something worth knowing beside the text. */
function Note({ children }: { children: ReactNode }) {
  return <aside className="prose-note">{children}</aside>;
}

/** Says of what the text goes on to describe that it is not built, and what is so until it is. */
function NotBuilt({ children }: { children: ReactNode }) {
  return (
    <div role="note" className="prose-unbuilt">
      <Later label="Not built yet">{children}</Later>
    </div>
  );
}

/** A picture in a text. The build fills in its file and measures from `name`. */
function Picture({ children, ...image }: ComponentProps<"img">) {
  return (
    <figure className="prose-picture">
      <img alt="" loading="lazy" {...image} />
      {children && <figcaption>{children}</figcaption>}
    </figure>
  );
}

const components = { a: Anchor, table: Table, th: ColumnHead, Facts, Fact, Note, NotBuilt, Picture };

/** What MDX files are made of: the build makes them ask here. */
export const useMDXComponents = () => components;
