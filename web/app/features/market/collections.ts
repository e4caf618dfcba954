import { collectionNames } from "~/lib/collections.gen";

const names: Record<string, string> = collectionNames;

/** A collection's display name; the slug if unknown. */
export function collectionName(slug: string): string {
  return names[slug] ?? slug.replaceAll("-", " ");
}
