import { waitFor } from "@testing-library/react";
import { expect } from "vitest";

/** Waits for an element, and until it has the focus: effects may move the focus after the element is there. */
export async function expectFocus(element: Promise<HTMLElement>) {
  const found = await element;
  await waitFor(() => expect(found).toHaveFocus());
}
