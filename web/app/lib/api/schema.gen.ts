type Answer<T, S extends number = 200> = { responses: { [K in S]: { headers: Record<string, unknown>; content: { "application/json": T } } } & { default: { headers: Record<string, unknown>; content: { "application/problem+json": components["schemas"]["ErrorModel"] } } } };
type Params<Q = never, P = never> = { parameters: { query?: Q; header?: never; path?: P; cookie?: never } };
type Body<B> = { requestBody: { content: { "application/json": B } } };
export interface paths {
  "/api/auth/profile": { get: Params & Answer<components["schemas"]["Profile"]> };
  "/api/proxy/feature-flag/getEvaluatedFeatureFlags": { get: Params<{ environment: string; project: string }> & Answer<{ flags: Record<string, { enabled: boolean; value?: unknown; variant?: string; reason?: string }> }> };
  "/api/auth/logout": { get: Params & Answer<{ success: boolean }> };
  "/api/auth/login": { post: Params & Body<{ email: string; password: string }> & Answer<components["schemas"]["LoginAnswer"]> };
  "/api/auth/register": { post: Params & Body<{ email: string; displayName: string; password: string }> & Answer<components["schemas"]["LoginAnswer"], 201> };
  "/api/proxy/auth/token/login": { post: Params & Body<{ context: string; utmParams: Record<string, string> }> & Answer<components["schemas"]["LoginAnswer"]> };
}
export interface components {
  schemas: {
    ErrorModel: { status?: number; detail?: string; message: string; success: boolean; errors?: { location?: string; message?: string }[] };
    LoginAnswer: { success: boolean; token: string; sessionAuthorization?: string };
    Profile: {
      AccountInfo: { PlayFabId: string; TitleInfo: { DisplayName: string }; PrivateInfo: { Email: string } };
      userVerifiedWallet: { walletAddress: string };
      embeddedWalletAddress: string;
      smartWalletAddress: string;
      enableEmbeddedInCorpSite: boolean;
    };
  };
}
