import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

/** How long to wait for the full style sheet, in milliseconds. */
const styleTimeout = 3_000;

/** Applies the whole style sheet: a page carries the styles only of what it shows, not of what scripts add to it. */
async function applyAllStyles(): Promise<void> {
  const sheet = document.querySelector<HTMLLinkElement>("link#all-styles");
  if (!sheet) return;
  sheet.media = "all";
  if (sheet.sheet) return;
  // Without it the page works all the same, and looks plain where it changes. It may have failed before anybody listened.
  await new Promise((settle) => {
    sheet.addEventListener("load", settle);
    sheet.addEventListener("error", settle);
    setTimeout(settle, styleTimeout);
  });
}

void applyAllStyles().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  }),
);
