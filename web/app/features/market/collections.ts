import { collections } from "~/lib/collections.gen";

const known: Record<string, { name: string }> = collections;

/** A collection's display name; the slug if unknown. */
export function collectionName(slug: string): string {
  return known[slug]?.name ?? slug.replaceAll("-", " ");
}
