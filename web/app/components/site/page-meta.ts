import { brand } from "#brand";

/**
 * The site's own origin. It is unknown at build time: an invalid name stands for it, which the server replaces
 * (`internal/site`). In the browser it comes from the page's canonical link.
 */
export const origin = import.meta.env.SSR
  ? "https://site.invalid"
  : new URL(document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? location.href).origin;

/** The path of a page's share image, by the page's title. `scripts/share-images` creates them. */
export function shareImage(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `/share/${name}.jpg`;
}

interface MetaOptions {
  /** Whether search engines may index the page: false only for pages for a single visitor. */
  index?: boolean;
}

/**
 * Title, description and share tags of one page, for its `meta` export. Title (at most 60 characters, without the
 * site's name) and description (70 to 160) are unique: the build checks it. The page's canonical URL comes from the
 * root.
 */
export function pageMeta(title: string, description: string, { index = true }: MetaOptions = {}) {
  const full = title === brand.name ? title : `${title} · ${brand.name}`;
  const head = [{ title: full }, { name: "description", content: description }, ...(index ? [] : [{ name: "robots", content: "noindex" }])];
  // Link previews read the page as built; in the browser the tags are not needed.
  if (!import.meta.env.SSR) return head;
  const picture = origin + shareImage(index ? title : brand.name);
  return [
    ...head,
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: "website" },
    { property: "og:title", content: full },
    { property: "og:description", content: description },
    { property: "og:image", content: picture },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: full },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: full },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: picture },
    { name: "twitter:image:alt", content: full },
  ];
}
