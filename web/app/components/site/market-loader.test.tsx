import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MarketLoader } from "./market-loader";

const play = vi.fn(async () => {});
const prefers = (reduced: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: reduced && query === "(prefers-reduced-motion: reduce)" }));

beforeEach(() => {
  play.mockClear();
  HTMLMediaElement.prototype.play = play;
});
afterEach(() => vi.unstubAllGlobals());

describe("the market's loader", () => {
  // Spec: PAGE-11
  it("lies over everything, says that something loads, and loops a clip without sound", () => {
    prefers(false);
    const { container } = render(<MarketLoader />);
    expect(screen.getByRole("status", { name: "Loading" })).toHaveClass("fixed", "inset-0");
    const video = container.querySelector("video");
    expect(video).toHaveProperty("loop", true);
    expect(video).toHaveProperty("muted", true);
    expect(play).toHaveBeenCalledOnce();
  });

  // Spec: PAGE-11
  it("is a still for whoever prefers reduced motion, and loads no clip", () => {
    prefers(true);
    const { container } = render(<MarketLoader />);
    expect(play).not.toHaveBeenCalled();
    const video = container.querySelector("video");
    expect(video).toHaveAttribute("preload", "none");
    expect(video?.getAttribute("poster")).toMatch(/market-still/);
  });
});
