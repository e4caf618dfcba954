export function Teaser() {
  return null;
}
