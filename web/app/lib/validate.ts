/**
 * The validation rules for user input, the same as the server's (`internal/portal/account`, `internal/kit/email`).
 * Each function returns the message to show, or undefined if the value is valid. Lengths count characters, as the
 * server does, not UTF-16 units.
 */

/** A local part, @, and a domain whose top level has at least 2 letters, in any script. The server knows which can be mailed. */
const emailPattern = /^[^\s@<>()[\],;:\\"]+@([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+([\p{L}\p{M}]{2,}|xn--[a-z0-9-]+)$/iu;

const length = (value: string) => [...value].length;

/** Surrounding whitespace is ignored: it is not sent. */
export function emailProblem(value: string): string | undefined {
  const address = value.trim();
  if (!address) return "Enter your e-mail address.";
  if (address.length > 254 || /\p{C}/u.test(address) || !emailPattern.test(address)) return "This does not look like an e-mail address.";
}

/** Only ASCII letters and digits, and at least one. */
export function isAlphanumeric(value: string): boolean {
  return /^[A-Za-z0-9]+$/.test(value);
}

/** Line breaks, control characters, and characters without width: names that differ only in these look the same. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Joiners and variation selectors, which some scripts and emoji need; the server knows where. */
const joining = /\u200c|\u200d|\ufe0e|\ufe0f/g;
/** More than two marks on one letter. */
const pile = /[\p{Mn}\p{Me}]{3}/u;

/** A name as the server stores it: composed, trimmed, with whitespace collapsed. */
const clean = (name: string) =>
  name
    .replace(/\p{Zs}+/gu, " ")
    .replace(/^ | $/g, "")
    .normalize("NFC");

/** 3 to 20 visible characters, one of them a letter or a digit. */
export function displayNameProblem(value: string): string | undefined {
  const name = clean(value);
  if (!name) return "Choose a name.";
  if (length(name) < 3) return "Use at least 3 characters.";
  if (length(name) > 20) return "Use at most 20 characters.";
  if (unseen.test(name.replace(joining, "")) || pile.test(name)) return "This name has characters that cannot be shown.";
  if (!/[\p{L}\p{Nd}]/u.test(name)) return "A name needs a letter or a digit.";
}

/** 8 to 100 characters, of a new password. The server decides which are easy to guess. */
export function passwordProblem(value: string): string | undefined {
  if (!value) return "Enter a password.";
  if (length(value) < 8) return "Use at least 8 characters.";
  if (length(value) > 100) return "Use at most 100 characters.";
}

/** The password that an account has. Only the server knows whether it is right. */
export const currentPasswordProblem = (value: string) => (value ? undefined : "Enter your password.");

/** The code from an email as it is sent: without whitespace. */
export const codeOf = (value: string) => value.replace(/\s/g, "");

/** The code from an email: 8 digits. */
export function codeProblem(value: string): string | undefined {
  const code = codeOf(value);
  if (!code) return "Enter the code from our mail.";
  if (!/^\d{8}$/.test(code)) return "The code has 8 digits.";
}
