/**
 * The brand: everything a studio changes to make the portal its own. Names, links and copy live here; colours and type
 * are in `theme.css`, the mark is drawn in `mark.tsx`. Pages' longer texts are in `content`.
 */

/** The product's slug, part of several addresses (`/{slug}-universe`). Lower-case letters, digits and hyphens. */
export const slug = "pantheon" as const;

/** A link that leaves the site. */
export interface ExternalLink {
  label: string;
  href: `https://${string}`;
}

export const brand = {
  name: "Pantheon",
  slug,
  /** One sentence for search results and shared links. */
  description:
    "Collect the gods, relics and avatars of the Pantheon games. Hold an item while you pay, in USDC without gas, and own it on chain.",
  /** `theme-color` of the browser's own frame: the page's ground as sRGB. */
  themeColour: "#0a1112",
  /** The six networks of the footer, in their order there. Placeholders, which lead to nobody there: put in your own pages. */
  social: {
    chat: { label: "Discord", href: "https://discord.com" },
    posts: { label: "X", href: "https://x.com" },
    professional: { label: "LinkedIn", href: "https://www.linkedin.com" },
    photos: { label: "Instagram", href: "https://www.instagram.com" },
    social: { label: "Facebook", href: "https://www.facebook.com" },
    nft: { label: "OpenSea", href: "https://opensea.io" },
  } satisfies Record<string, ExternalLink>,
} as const;
