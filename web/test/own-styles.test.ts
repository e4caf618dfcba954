import { expect, it } from "vitest";
import { withOwnStyles, withoutFaces } from "../scripts/own-styles.ts";

const page = (styles: string, body: string) => `<html><head><style id="styles">${styles}</style></head><body>${body}</body></html>`;

it.each([
  [".p-4{padding:1rem}", `<p class="m-2 p-4">`],
  [".sm\\:w-1\\/2{width:50%}", `<p class="sm:w-1/2">`],
  [".aria-\\[current\\=page\\]\\:on[aria-current=page]{color:red}", `<a class="aria-[current=page]:on" aria-current="page">`],
  [".\\[\\&\\>li\\]\\:p-1>li{padding:1px}", `<ul class="[&amp;&gt;li]:p-1"><li></li></ul>`],
  [":root{--ink:red}", `<path fill="var(--ink)">`],
  ["@keyframes spin{to{rotate:1turn}}.spin{animation:spin 1s}", `<p class="spin">`],
  ["details[open]{color:red}", "<details></details>"],
  ["@layer a,b;@layer a{*{margin:0}}", "<p>"],
])("a page keeps %s", async (styles, body) => {
  expect(await withOwnStyles(page(styles, body))).toBe(page(styles, body));
});

it("a page is spared the styles of others, and the motion with them", async () => {
  const others = "@keyframes spin{to{rotate:1turn}}.spin{animation:spin 1s}.p-44{padding:var(--wide)}table{margin:0}";
  expect(await withOwnStyles(page(`.p-4{padding:1rem}${others}`, `<p class="p-4">`))).toBe(page(".p-4{padding:1rem}", `<p class="p-4">`));
});

it("font faces are in the page, and not repeated in the whole sheet", async () => {
  const face = '@font-face{font-family:"A";font-display:optional;src:url(/a.woff2)format("woff2")}';
  expect(await withOwnStyles(page(`${face}.p-4{padding:1rem}`, `<p class="p-4">`))).toContain(face);
  expect(withoutFaces(`${face}${face}.p-4{padding:1rem}`)).toBe(".p-4{padding:1rem}");
});

it("a page without styles is refused", async () => {
  await expect(withOwnStyles("<html></html>")).rejects.toThrow("no styles");
});
