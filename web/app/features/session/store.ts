import type { components } from "~/lib/api/schema.gen";
import { createStore } from "~/lib/store";

export type Profile = components["schemas"]["Profile"];

export interface Session {
  /** Set once the server has confirmed the stored token. */
  isAuthenticated: boolean;
  /** True until it is known whether a player is signed in. */
  isLoading: boolean;
  profile: Profile | null;
  /** Why the server could not tell who is signed in, for the player; "" if it could. It is retried. */
  problem: string;
  /** Whether nobody is signed in because the player signed out in another tab of this browser. */
  signedOutElsewhere: boolean;
}

/** The session. `session.ts` sets it; everything else only reads it. */
export const session = createStore<Session>({
  isAuthenticated: false,
  isLoading: true,
  profile: null,
  problem: "",
  signedOutElsewhere: false,
});
