/** What the collections are called, by the slug the server gives them. */
const names: Record<string, string> = {
  "game-items": "Arms & relics",
  avatars: "Avatars",
  "season-avatars": "Season avatars",
  "piggy-banks": "Piggy banks",
  "piggy-soulbound": "Keepsake piggies",
  "elder-gods": "Elder Gods",
  chests: "KOD packs",
  immortals: "Immortals",
  "passes-community": "Community passes",
  "passes-ultimate": "Ultimate passes",
  arks: "Arks",
  "power-packs": "Power packs",
};

/** A collection's name; one that is not known here goes by its slug. */
export function collectionName(slug: string): string {
  return names[slug] ?? slug.replaceAll("-", " ");
}
