/** The rules for what people type. Each returns the message to show, or undefined when the value is fine. */

const emailPattern = /^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$/;

export function emailProblem(value: string): string | undefined {
  if (!value) return "Enter your e-mail address.";
  if (!emailPattern.test(value)) return "This does not look like an e-mail address.";
}

/** 3 to 20 letters, digits, spaces, hyphens or underscores. */
export function displayNameProblem(value: string): string | undefined {
  if (!value) return "Choose a name.";
  if (value.length < 3) return "Use at least 3 characters.";
  if (value.length > 20) return "Use at most 20 characters.";
}

/** 6 to 100 characters. */
export function passwordProblem(value: string): string | undefined {
  if (!value) return "Enter a password.";
  if (value.length < 6) return "Use at least 6 characters.";
  if (value.length > 100) return "Use at most 100 characters.";
}
