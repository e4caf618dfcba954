/** What a page of running text says about itself: the `page` export of every MDX file. The build refuses other values. */
export interface ContentPage {
  /** Browser tab and shared links, without the site's name. Unique, at most 60 characters. */
  title: string;
  /** What search results show. Unique, 70 to 160 characters. */
  description: string;
  /** The page's one first heading: a few words, at most 44 characters. */
  heading: string;
  /** One or two sentences below it, at most 240 characters. */
  lead: string;
}

/** A heading of a page's text, as its table of contents lists it. */
export interface Heading {
  /** The fragment that leads to it. */
  id: string;
  text: string;
  depth: 2 | 3;
}

/** What a page of running text tells the frame it stands in (the route's `handle`). */
export interface ContentHandle {
  page: ContentPage;
  /** In the order of the text. */
  headings: Heading[];
}
