/** Moves the focus to the page's main element without scrolling: for controls that are removed while they have it. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
