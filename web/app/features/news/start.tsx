import { createRoot } from "react-dom/client";
import { Banners } from "./components/banner";

/** Renders the banners in a React root of their own, so that pages do not wait for them. */
export function showBanners(): void {
  const place = document.body.appendChild(document.createElement("div"));
  createRoot(place).render(<Banners />);
}
