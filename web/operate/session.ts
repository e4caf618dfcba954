import { queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";
import { ApiError } from "~/lib/api/problem";
import { answerByPasskey } from "~/lib/passkey";
import { call, hooks, isRefused, post } from "./api";
import { isBackground, queryClient } from "./query";
import type { Answer, Ceremony, Session, Success } from "./types";

/** The session; "none" if nobody is signed in, "ended" if somebody was on this page. */
export type Signed = Session | "none" | "ended";

const key = ["session"] as const;

/** How often it is looked up whether the session has ended, in milliseconds. */
export const sessionEvery = 60_000;

export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal }): Promise<Signed> => {
    try {
      return await call<Session>("session", { signal, background: isBackground("session") });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return queryClient.getQueryData<Signed>(key) ?? "none";
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

hooks.onUnauthorized = () =>
  queryClient.setQueryData<Signed>(key, (before) => (before === undefined || before === "none" ? "none" : "ended"));

/** Removes what was read in another session. */
export const forget = (): void => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });

/** Takes over the session that the server has returned. */
export function takeSession(session: Session): void {
  queryClient.setQueryData<Signed>(key, session);
}

/** Signs in with a passkey. Throws ApiError in words. */
export async function signIn(): Promise<void> {
  const { options } = await call<Ceremony>("sign-in");
  const session = await post<Session>("sign-in", { response: await answerByPasskey(options) } satisfies Answer);
  forget();
  takeSession(session);
}

/** Signs out. */
export async function signOut(): Promise<void> {
  await queryClient.cancelQueries();
  await post<Success>("sign-out");
  queryClient.setQueryData<Signed>(key, "none");
}

/**
 * Runs an act. If the server wants to know again who it is, asks for the passkey and repeats the act. `onAsk` is told when the
 * passkey is asked for, and when that is over.
 */
export async function withConfirm<T>(act: () => Promise<T>, onAsk?: (asks: boolean) => void): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isRefused(error, "confirm")) throw error;
  }
  takeSession(await post<Session>("confirm", await answerForSession(onAsk)));
  return act();
}

/** Returns an answer of a passkey to a challenge of this session, which a call needs that gives or takes access. */
export async function answerForSession(onAsk?: (asks: boolean) => void): Promise<Answer> {
  onAsk?.(true);
  try {
    const { options } = await call<Ceremony>("confirm");
    return { response: await answerByPasskey(options) };
  } finally {
    onAsk?.(false);
  }
}

/** Takes over that the session has ended. */
export const endSession = (): void => hooks.onUnauthorized();

const SessionContext = createContext<Session | null>(null);

/** Provides the session to the pages, which are only shown with one. */
export const SessionProvider = SessionContext.Provider;

/** The session of who is signed in. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}

/** Returns whether the role has a right. */
export function useMay(): (right: string) => boolean {
  const { rights } = useSession();
  return (right) => rights.includes(right);
}
