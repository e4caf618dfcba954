import { type Currency, purses } from "./registry";

/** The currencies of a purse; none if the brand has no such purse. */
export const currenciesOf = (purse: string): Currency[] => purses.find(({ id }) => id === purse)?.currencies ?? [];

const byCode = new Map(purses.flatMap(({ currencies }) => currencies.map((currency) => [currency.code, currency])));

/** The codes of all currencies, in the order of the purses. */
export const currencyCodes = [...byCode.keys()];

/** The name of a currency for a count, by its code; the code itself if unknown. */
export function currencyName(code: string, count: number): string {
  const currency = byCode.get(code);
  if (!currency) return `of currency “${code}”`;
  return (count === 1 && currency.one) || currency.name;
}
