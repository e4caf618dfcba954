import { PurgeCSS } from "purgecss";

/**
 * The whole sheet without its font faces, which every page already has. Repeated, they would be loaded again, and a
 * font that missed the first paint would shift the text when the sheet is applied.
 */
export const withoutFaces = (css: string): string => css.replaceAll(/@font-face\s*\{[^}]*\}/g, "");

/**
 * A page with only the styles of its own content, so that page and styles together arrive in the first round trip
 * (RFC 6928: 10 segments, some 14 KB). The whole sheet is applied before scripts change anything.
 */
export async function withOwnStyles(html: string): Promise<string> {
  const [, before, css, after] = /^(.*<style id="styles">)(.*?)(<\/style>.*)$/s.exec(html) ?? [];
  if (before === undefined || css === undefined || after === undefined) throw new Error("A page has no styles in it; see root.tsx.");
  const page = before + after;
  // Complete class names, which may contain "=", and the names and values of attributes.
  const words = (text: string) => [...(text.match(/[^\s"']+/g) ?? []), ...(text.match(/[^\s"'<>=/]+/g) ?? [])];
  const [own] = await new PurgeCSS().purge({
    content: [{ raw: page.replaceAll("&amp;", "&").replaceAll("&gt;", ">"), extension: "html" }],
    css: [{ raw: css }],
    defaultExtractor: words,
    keyframes: true,
    variables: true,
    safelist: { variables: [...page.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1] ?? "") },
    // What visitors can open without scripts.
    dynamicAttributes: ["open"],
  });
  if (!own) throw new Error("No styles are left of a page.");
  return before + own.css + after;
}
