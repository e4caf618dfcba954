import type { components } from "~/lib/api/schema.gen";
import { createStore } from "~/lib/store";

export type Profile = components["schemas"]["Profile"];

export interface Session {
  /** Set once the server has confirmed the stored token. */
  isAuthenticated: boolean;
  /** True until it is known whether somebody is signed in. */
  isLoading: boolean;
  profile: Profile | null;
  /** Why it could not be found out who is signed in, in words for the player; "" when it could. It is tried again. */
  problem: string;
}

/** Who is signed in. `sessionModule.ts` moves it; everything else only reads. */
export const session = createStore<Session>({ isAuthenticated: false, isLoading: true, profile: null, problem: "" });
