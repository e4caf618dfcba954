import type { Kept } from "./kept/view";

/** The file names of an opening's receipt and of its kept page. */
export const receiptFile = (openingId: string) => `receipt-${openingId}.json`;
export const pageFile = (openingId: string) => `opening-${openingId}.html`;

/** The place of the receipt in the page without one; `scripts/kept-page.ts` checks that it is there once. */
const place = '{"receipt":"","from":""}';

/** The page that players keep: it has the receipt and the code that checks it, and needs nothing else. */
export async function keptPage(kept: Kept): Promise<string> {
  const { default: html } = await import("virtual:kept-page");
  // A "<" could end the script element that the receipt is in (HTML, restrictions on script contents).
  const text = JSON.stringify(kept).replaceAll("<", "\\u003c");
  return html.replace(place, () => text);
}

/** Has the browser save a text as a file. */
export function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
