import { collectionOf } from "~/lib/registry";

/** A collection's display name; the slug if unknown. */
export function collectionName(slug: string): string {
  return collectionOf(slug)?.name ?? slug.replaceAll("-", " ");
}
