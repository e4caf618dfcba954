/** A token, by the contract of its collection and its id there. */
interface Token {
  contract: string;
  tokenId: string;
}

/** The key of a token: its contract in lower case, a colon and its id. Addresses of pages and the browser's storage have this form. */
export const tokenKey = ({ contract, tokenId }: Token) => `${contract.toLowerCase()}:${tokenId}`;

/** Whether two spellings are one address. */
export const isSameAddress = (a: string | null | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

/** The key of the token that a listing offers. */
export const listedTokenKey = ({ assetContractAddress: contract, tokenId }: { assetContractAddress: string; tokenId: string }) =>
  tokenKey({ contract, tokenId });
