import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The same limit as the server's: the cost of an estimate grows with the length. */
const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary, maxLength: 40 });

/**
 * Estimates how hard a password is to guess for who knows some texts, 0 to 4. The server has the last word; it knows more words
 * and accepts 2 or more.
 */
export function strength(password: string, known: string[]): number {
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{Nd}]+/u)]).filter(Boolean);
  return estimator.check(password.normalize("NFKC"), words).score;
}
