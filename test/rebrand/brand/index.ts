/** A brand that is not ours, to show that the site takes one. */

export const slug = "corsair-bay" as const;

export interface ExternalLink {
  label: string;
  href: `https://${string}`;
}

export const brand = {
  name: "Corsair Bay",
  slug,
  description: "A harbour for people who sail other people's ships, with a market, a ledger and a lamp that is never put out.",
  themeColour: "#200a2a",
  social: {
    chat: { label: "Signal flags", href: "https://chat.corsair.example" },
    posts: { label: "Short notes", href: "https://posts.corsair.example" },
    professional: { label: "The guild", href: "https://guild.corsair.example" },
    photos: { label: "Sketches", href: "https://photos.corsair.example" },
    social: { label: "The tavern", href: "https://social.corsair.example" },
    nft: { label: "The fence", href: "https://nft.corsair.example" },
  } satisfies Record<string, ExternalLink>,
  piggyBanksArticle: { label: "Strongboxes", href: "https://strongbox.corsair.example" } satisfies ExternalLink,
} as const;
