import { createRoot } from "react-dom/client";
import { Banners } from "./components/banner";

/** Shows the studio's banners, outside the page's own content: no page waits for them. */
export function showBanners(): void {
  const place = document.body.appendChild(document.createElement("div"));
  createRoot(place).render(<Banners />);
}
