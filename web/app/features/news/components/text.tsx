import { cn } from "~/lib/cn";

/** The text of a news item: HTML that the server renders from Markdown. */
export function NewsText({ html, className }: { html: string; className?: string }) {
  return (
    <div
      className={cn(
        "[&_a]:underline [&_a]:underline-offset-4 [&_li]:ml-5 [&_ol]:list-decimal [&_ul]:list-disc",
        "[&>*+*]:mt-3 [&_:is(h3,h4,h5,h6)]:font-bold",
        className,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it from the brand's files and refuses raw HTML
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
