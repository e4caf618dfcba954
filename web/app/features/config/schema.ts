import { isAddress } from "~/lib/address";
import type { components } from "~/lib/api/schema.gen";

export type ClientConfig = components["schemas"]["ClientConfig"];

type Rule = (value: unknown) => boolean;
/** A rule for each field of T, at any depth: no field of the contract can be left unchecked. */
type Rules<T> = { [K in keyof T]-?: NonNullable<T[K]> extends object ? Checked<NonNullable<T[K]>> : Rule };
/** Fields by name; a list, or a table in which any name may stand, is checked as a whole. */
type Checked<T> = T extends readonly unknown[] ? Rule : string extends keyof T ? Rule : Rules<T>;

const address: Rule = isAddress;
const string: Rule = (value) => typeof value === "string";
const text: Rule = (value) => typeof value === "string" && value !== "";
const flag: Rule = (value) => typeof value === "boolean";
const whole =
  (least: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least;
const oneOf =
  (...values: unknown[]): Rule =>
  (value) =>
    values.includes(value);
const maybe =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);
/** Links must be http or https URLs, since players follow them. */
const link: Rule = (value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value);

const chain: Rules<ClientConfig["gameChain"]> = {
  id: whole(1),
  name: text,
  explorerUrl: maybe(link),
  pollInterval: whole(1),
  entryPoint: address,
  accountFactory: address,
  accountImplementation: address,
};

const rules: Rules<ClientConfig> = {
  environment: oneOf("dev", "stage", "test", "prod"),
  clientId: maybe(string),
  passkeyDomain: maybe(string),
  signInWithX: flag,
  passwordByMail: flag,
  faucet: flag,
  mailbox: flag,
  gameChain: chain,
  mainChain: chain,
  contracts: {
    marketplace: address,
    piggyMarketplace: maybe(address),
    piggyCollection: maybe(address),
    avatarCollection: maybe(address),
    seasonAvatarsCollection: maybe(address),
    managerBackendWallet: address,
    claimerBackendWallet: address,
    gasRelayerBackendWallet: address,
    usdc: address,
    god: maybe(address),
    piggySoulboundCollection: maybe(address),
    gameItems: maybe(address),
    elderGods: maybe(address),
    chests: maybe(address),
  },
  collections: (value) => typeof value === "object" && value !== null && Object.values(value).every(isAddress),
  claimerBackendWallets: maybe((value) => Array.isArray(value) && value.every(isAddress)), // releases before have none
  currency: { address, symbol: text, decimals: whole(0) },
  listings: { minPrice: text, atOnce: whole(1), live: whole(1) },
  monitoring: { active: flag, applicationId: maybe(text) },
};

function faultsIn(value: unknown, allowed: object, path: string): string[] {
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return Object.entries(allowed).flatMap(([name, rule]: [string, Rule | object]) => {
    const at = path + name;
    if (typeof rule !== "function") return faultsIn(fields[name], rule, `${at}.`);
    return rule(fields[name]) ? [] : [at];
  });
}

/** The fields that are missing or invalid, such as "gameChain.id". Their values are not included. */
export function faultsOf(config: unknown): string[] {
  return faultsIn(config, rules, "");
}
