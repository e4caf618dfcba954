import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import QrCode from "./components/qr-code";

/** As another encoder makes it (qrcode-generator 2.0.4), and as jsqr reads it. */
const known = `
#######..###..#....#..#######
#.....#..#.##..#.#....#.....#
#.###.#.#.#...###..##.#.###.#
#.###.#.##...#.####...#.###.#
#.###.#.#...#.#.....#.#.###.#
#.....#.####.####.#...#.....#
#######.#.#.#.#.#.#.#.#######
........###.#..##.#..........
#.#####..#####.#.##.#.#####..
#...##..##.#.####..#..#.#...#
###.####.#.....#.##.#####.##.
.###....#.#...#.....##.......
#.##.##.###...#####..#.#.##..
..##.#....##........#.#.#.#.#
.#.##.#.##.##.##..#.....##.#.
###..#.#..##..###.###...#..#.
#.#.###..#.#..##.##.##.#.####
#.##.#.###..#..##..#..#.#...#
#..#.####.#...###.#..#..#....
#.#.##.#..###.#.#.#..##.#..#.
#.#..##.##...#.#############.
........##.#..#....##...#.#.#
#######....#######.##.#.#..#.
#.....#.#..#..###.#.#...#..##
#.###.#.##.....####.#########
#.###.#.###.#....#...#.#.#.##
#.###.#.##.###.#..#.#.#.#..#.
#.....#..#.###.#...##...#..#.
#######.##...##.###...#.###..
`;

const address = "0x52908400098527886E0F7030069857D2E4169EE7";

/** The modules that the component draws, without the light border. */
function drawn(of: string): string {
  const { container, unmount } = render(<QrCode address={of} />);
  const rows = Array.from({ length: 29 }, () => new Array<string>(29).fill("."));
  const dark = container.querySelectorAll("path")[1]?.getAttribute("d") ?? "";
  for (const [, x, y] of dark.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) rows[Number(y) - 4]?.splice(Number(x) - 4, 1, "#");
  unmount();
  return rows.map((row) => row.join("")).join("\n");
}

// Spec: MONEY-8
it("is the code that another encoder makes of the address", () => {
  expect(drawn(address)).toBe(known.trim());
});

it("is another code for another address, also by its upper and lower case", () => {
  expect(drawn("0x52908400098527886e0F7030069857D2E4169EE7")).not.toBe(known.trim());
});

it("has a light border of four modules on each side", () => {
  const { container } = render(<QrCode address={address} />);
  const places = [...(container.querySelectorAll("path")[1]?.getAttribute("d") ?? "").matchAll(/M(\d+) (\d+)h/g)].flatMap(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  expect([Math.min(...places), Math.max(...places)]).toEqual([4, 32]);
  expect(container.querySelector("svg")).toHaveAttribute("viewBox", "0 0 37 37");
});
