/** A token, by the contract of its collection and its id there. */
interface Token {
  contract: string;
  tokenId: string;
}

/** The key of a token: its contract in lower case, a colon and its id. It is also the form in addresses of pages and in what the browser keeps. */
export const tokenKey = ({ contract, tokenId }: Token) => `${contract.toLowerCase()}:${tokenId}`;

/** The key of the token that a listing offers. */
export const listedTokenKey = ({ assetContractAddress: contract, tokenId }: { assetContractAddress: string; tokenId: string }) =>
  tokenKey({ contract, tokenId });
