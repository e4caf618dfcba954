/** Our names and links. Colours and type are in `theme.css`, the mark is drawn in `mark.tsx`. */

/** The brand's slug, the prefix of keys in localStorage: lower-case letters, digits and hyphens. */
export const slug = "our-brand" as const;

export const brand = {
  name: "Our Brand",
  slug,
  /** One sentence for search results and shared links, of 70 to 160 characters. */
  description: "Collect the heroes and swords of Quest. Hold an item while you pay, without gas, and own it on chain.",
  /** The ground of the pages, for the browser's own frame. */
  themeColour: "#0e131a",
  /** The networks of the footer: six of them. */
  social: {
    chat: { label: "Discord", href: "https://discord.com" },
    posts: { label: "X", href: "https://x.com" },
    professional: { label: "LinkedIn", href: "https://www.linkedin.com" },
    photos: { label: "Instagram", href: "https://www.instagram.com" },
    social: { label: "Facebook", href: "https://www.facebook.com" },
    nft: { label: "OpenSea", href: "https://opensea.io" },
  },
} as const;
