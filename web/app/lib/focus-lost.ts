// Apart from focus.ts, which is among every page's first scripts.

/** Whether no control has the focus, because the one that had it was removed or the page was just opened. */
export function isFocusLost(): boolean {
  const { activeElement: at } = document;
  return !at || at === document.body || at.id === "main";
}
