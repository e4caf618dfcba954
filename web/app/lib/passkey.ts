import { ApiError } from "~/lib/api/problem";

/** Whether passkeys of a domain work in this browser on this page (WebAuthn Level 3, section 5.1.3). */
export function passkeysWork(domain: string | undefined): boolean {
  const host = location.hostname;
  return Boolean(domain) && typeof PublicKeyCredential === "function" && (host === domain || host.endsWith(`.${domain}`));
}

/** The player's words for what the browser could not do. */
function inWords(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : "";
  switch (name) {
    case "NotAllowedError": // closed, or nothing happened in time; browsers do not tell which
    case "AbortError":
      return new ApiError("Your device did not confirm it. Please try again.", 0);
    case "InvalidStateError":
      return new ApiError("This device has a passkey of your account already.", 0);
  }
  return new ApiError("Passkeys do not work in this browser, or not on this device.", 0);
}

let loaded: typeof import("@simplewebauthn/browser") | undefined;

const load = async () => {
  loaded ??= await import("@simplewebauthn/browser");
  return loaded;
};

/** Makes a passkey by the server's options, and returns the response for the server. Throws ApiError in the player's words. */
export async function makePasskey(options: unknown): Promise<unknown> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON: options as never }).catch((error: unknown) => {
    throw inWords(error);
  });
}

/** Answers a challenge by a passkey, and returns the response for the server. Throws ApiError in the player's words. */
export async function answerByPasskey(options: unknown): Promise<unknown> {
  const { startAuthentication } = await load();
  return startAuthentication({ optionsJSON: options as never }).catch((error: unknown) => {
    throw inWords(error);
  });
}

/** Whether the browser lists passkeys in a field whose autocomplete ends with "webauthn". */
export const listsPasskeys = async (): Promise<boolean> => (await load()).browserSupportsWebAuthnAutofill();

/**
 * Offers the player's passkeys in the list of that field. Resolves to the response for the server, or to undefined if none was chosen
 * before the browser was asked for something else or `stopPasskey`.
 */
export async function offerPasskeys(options: unknown): Promise<unknown> {
  const { startAuthentication } = await load();
  return startAuthentication({ optionsJSON: options as never, useBrowserAutofill: true }).catch(() => undefined);
}

/** Ends what the browser asks or offers, if anything: the page or the question is left. */
export function stopPasskey(): void {
  loaded?.WebAuthnAbortService.cancelCeremony();
}
