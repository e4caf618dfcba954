/**
 * The brand: everything a studio changes to make the portal its own. Names, links and copy live here; colours and type
 * are in `theme.css`, the mark is drawn in `mark.tsx`. Pages' longer texts are in `app/content`.
 */

/** The product's slug, part of several addresses (`/{slug}-universe`). Lower-case letters, digits and hyphens. */
export const slug = "pantheon" as const;

/** A link that leaves the site. */
export interface ExternalLink {
  label: string;
  href: `https://${string}`;
}

/**
 * Who runs this portal, as the legal pages and the support pages name it. The values below are made up: replace every one,
 * and have the texts in `app/content/legal` read by a lawyer of your country, before the first real player signs up.
 */
export interface Legal {
  /** The company or person that answers for the portal, by its registered name. */
  operator: string;
  /** Postal address of the operator, on one line. */
  address: string;
  /** Where mail reaches the operator: questions, complaints, what we keep about somebody. */
  email: string;
  /** The country or state whose law applies, as it reads after "the law of". */
  jurisdiction: string;
  /** The day on which the present texts took effect, as players read it. Change it with every change of a text. */
  effectiveDate: string;
  /** From which age somebody may have an account, in years. The portal asks nobody for a date of birth. */
  minimumAge: number;
  /** The countries that are not served, as they read in a sentence. They are those of the setting FORBIDDEN_COUNTRIES. */
  blockedCountries: string;
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
  /** What the Piggy Banks card of the first page leads to. A placeholder: put in your own article. */
  piggyBanksArticle: { label: "Piggy Banks", href: "https://en.wikipedia.org/wiki/Piggy_bank" } satisfies ExternalLink,
  /** Placeholders, to be replaced; see {@link Legal}. */
  legal: {
    operator: "Pantheon Demo Studio",
    address: "1 Example Street, 00000 Exampleton, Exampleland",
    email: "harbour-office@pantheon.example.org",
    jurisdiction: "Exampleland",
    effectiveDate: "21 November 2026",
    minimumAge: 18,
    blockedCountries: "Cuba, Iran, North Korea, Syria, Venezuela, Russia and Belarus",
  } satisfies Legal,
} as const;
