import { collectionNames } from "~/lib/collections.gen";

const names: Record<string, string> = collectionNames;

/** What players read of a collection. One that is not known goes by its slug. */
export function collectionName(slug: string): string {
  return names[slug] ?? slug.replaceAll("-", " ");
}
