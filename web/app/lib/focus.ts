/** Moves the focus to the page's main element without scrolling: for controls that are removed while they have it. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Whether no control has the focus, because the one that had it was removed or the page was just opened. */
export function isFocusLost(): boolean {
  const { activeElement: at } = document;
  return !at || at === document.body || at.id === "main";
}
