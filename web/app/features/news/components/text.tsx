import { cn } from "~/lib/cn";

/** The text of news. The server writes it from Markdown, in which HTML, scripts and pictures are refused. */
export function NewsText({ html, className }: { html: string; className?: string }) {
  return (
    <div
      className={cn(
        "[&_a]:underline [&_a]:underline-offset-4 [&_li]:ml-5 [&_ol]:list-decimal [&_ul]:list-disc",
        "[&>*+*]:mt-3 [&_:is(h3,h4,h5,h6)]:font-bold",
        className,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: of the studio's own Markdown
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
