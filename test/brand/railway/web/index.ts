/** A brand for tests that shares nothing with the built-in one. */
export const slug = "night-railway" as const;

export const brand = {
  name: "Night Railway",
  slug,
  /** One sentence for search results and shared links, of 70 to 160 characters. */
  description:
    "Engines, wagons and stations of the Night Express, bought and sold between drivers. You pay no gas, and what you buy is yours.",
  themeColour: "#10171e",
  social: {
    chat: { label: "Discord", href: "https://discord.com" },
    posts: { label: "X", href: "https://x.com" },
    professional: { label: "LinkedIn", href: "https://www.linkedin.com" },
    photos: { label: "Instagram", href: "https://www.instagram.com" },
    social: { label: "Facebook", href: "https://www.facebook.com" },
    nft: { label: "OpenSea", href: "https://opensea.io" },
  },
} as const;
