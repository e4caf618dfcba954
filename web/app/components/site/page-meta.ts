import { brand } from "#brand";

/** Title, description and share tags of one page, for its `meta` export. */
export function pageMeta(title: string, description: string) {
  const full = title === brand.name ? title : `${title} · ${brand.name}`;
  return [
    { title: full },
    { name: "description", content: description },
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: "website" },
    { property: "og:title", content: full },
    { property: "og:description", content: description },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
