/** The page that players keep, without a receipt; see `scripts/kept-page.ts`. */
declare module "virtual:kept-page" {
  const html: string;
  export default html;
}
