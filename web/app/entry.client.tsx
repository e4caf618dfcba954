import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

/** Applies the whole style sheet: a page carries the styles only of what it shows, not of what scripts add to it. */
async function applyAllStyles(): Promise<void> {
  const sheet = document.querySelector<HTMLLinkElement>("link#all-styles");
  if (!sheet) return;
  sheet.media = "all";
  if (sheet.sheet) return;
  // Without it the page works all the same, and looks plain where it changes.
  await new Promise((settle) => {
    sheet.addEventListener("load", settle);
    sheet.addEventListener("error", settle);
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
