/** A page of running text. Compiled by `scripts/content.ts`, which also makes it a route module of its own. */
declare module "*.mdx" {
  import type { ReactElement } from "react";
  import type { MetaFunction } from "react-router";
  import type { ContentHandle, ContentPage, Heading } from "~/content/page";

  export const page: ContentPage;
  export const headings: Heading[];
  export const handle: ContentHandle;
  export const meta: MetaFunction;
  export default function Content(): ReactElement;
}
