/** What search engines read: robots.txt and the sitemap. */
import { originInBuild, type Page } from "./pages.ts";

/** The sitemap (sitemaps.org), and the robots.txt that refers to it. */
export function forSearchEngines(pages: readonly Page[]): Record<"sitemap.xml" | "robots.txt", string> {
  const addresses = pages
    .filter((page) => page.indexed)
    .map((page) => page.address)
    .sort();
  return {
    "sitemap.xml": [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...addresses.map((address) => `<url><loc>${originInBuild}${address}</loc></url>`),
      "</urlset>\n",
    ].join("\n"),
    "robots.txt": `User-agent: *\nDisallow: /api/\nDisallow: /client/\n\nSitemap: ${originInBuild}/sitemap.xml\n`,
  };
}
