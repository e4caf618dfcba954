/**
 * QR codes (ISO/IEC 18004) of addresses: the 42 characters of an address are exactly what a symbol of version 3 holds in
 * byte mode with error correction level M. Other texts are not supported.
 */

const length = 42;
/** Modules on each side. */
const size = 29;
/** Codewords of error correction; there is one block. */
const checks = 26;

/** Powers of 2 in GF(256), modulo x^8 + x^4 + x^3 + x^2 + 1. */
const powers: number[] = [];
for (let i = 0, x = 1; i < 255; i++, x = x & 128 ? (x << 1) ^ 0x11d : x << 1) powers.push(x);
const log = (value: number) => powers.indexOf(value);
const power = (exponent: number) => powers[exponent % 255] as number;
const times = (a: number, b: number) => (a && b ? power(log(a) + log(b)) : 0);

/** The remainder of the codewords' polynomial divided by the generator, (x - 1)(x - 2)(x - 4)…, highest power first. */
function corrections(data: number[]): number[] {
  let generator = [1];
  for (let i = 0; i < checks; i++) {
    const root = power(i);
    generator = [...generator, 0].map((value, j) => value ^ times(generator[j - 1] ?? 0, root));
  }
  let rest: number[] = new Array(checks).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest[0] as number);
    rest = [...rest.slice(1), 0].map((value, j) => value ^ times(generator[j + 1] as number, factor));
  }
  return rest;
}

/** The bits of the symbol: byte mode, the length, the text, the terminator, and the error correction. */
function bitsOf(text: string): number[] {
  const nibbles = [4, length >> 4, length & 15, ...[...text].flatMap((c) => [c.charCodeAt(0) >> 4, c.charCodeAt(0) & 15]), 0];
  const data = nibbles.flatMap((high, i) => (i % 2 ? [] : [(high << 4) | (nibbles[i + 1] as number)]));
  return [...data, ...corrections(data)].flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (word >> bit) & 1));
}

/** The conditions under which each mask inverts a module. */
const masks: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

type Symbol = (boolean | undefined)[][];

/** Finder patterns with their separators, the alignment pattern, and the timing patterns. */
function frame(): Symbol {
  const modules: Symbol = Array.from({ length: size }, () => new Array(size).fill(undefined));
  const rings = (row: number, column: number, radius: number, dark: (distance: number) => boolean) => {
    for (let r = -radius; r <= radius; r++)
      for (let c = -radius; c <= radius; c++) {
        const line = modules[row + r];
        if (line && column + c >= 0 && column + c < size) line[column + c] = dark(Math.max(Math.abs(r), Math.abs(c)));
      }
  };
  const last = size - 4;
  for (const [row, column] of [
    [3, 3],
    [3, last],
    [last, 3],
  ] as const)
    rings(row, column, 4, (d) => d !== 2 && d !== 4);
  rings(22, 22, 2, (d) => d !== 1);
  for (let i = 8; i < size - 8; i++) {
    (modules[6] as boolean[])[i] = i % 2 === 0;
    (modules[i] as boolean[])[6] = i % 2 === 0;
  }
  return modules;
}

/** Writes level M and the mask, twice, protected by a BCH code. */
function putFormat(modules: Symbol, mask: number): void {
  let rest = mask << 10;
  for (let i = 14; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
  const format = ((mask << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1;
    const along = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    (modules[along] as boolean[])[8] = dark;
    const across = i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i;
    (modules[8] as boolean[])[across] = dark;
  }
  (modules[size - 8] as boolean[])[8] = true;
}

/** The symbol with one of the masks. The data runs in columns of two, from the right, upwards and downwards in turn. */
function withMask(bits: number[], mask: number): boolean[][] {
  const modules = frame();
  putFormat(modules, mask);
  const inverts = masks[mask] as (typeof masks)[number];
  let next = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--; // the timing pattern
    for (let i = 0; i < size; i++) {
      const row = up ? size - 1 - i : i;
      for (const column of [right, right - 1]) {
        const line = modules[row] as Symbol[number];
        if (line[column] === undefined) line[column] = (bits[next++] === 1) !== inverts(row, column);
      }
    }
  }
  return modules as boolean[][];
}

/** How hard a symbol is to read, by the standard's four rules. */
function penalty(modules: boolean[][]): number {
  const columns = modules.map((_, i) => modules.map((row) => row[i] as boolean));
  let sum = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let r = 1; r < size; r++)
    for (let c = 1; c < size; c++) if (new Set([modules[r]?.[c], modules[r]?.[c - 1], modules[r - 1]?.[c], modules[r - 1]?.[c - 1]]).size === 1) sum += 3;
  const dark = modules.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The rows of a QR code of an address, without the quiet zone; true is dark. */
export function qrCode(address: string): boolean[][] {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new Error("Only addresses have a code.");
  const bits = bitsOf(address);
  const symbols = masks.map((_, mask) => withMask(bits, mask));
  return symbols.reduce((best, symbol) => (penalty(symbol) < penalty(best) ? symbol : best));
}
