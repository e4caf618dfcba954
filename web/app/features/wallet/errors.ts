/** The wallet could not do something; the message is for the player. */
export class WalletError extends Error {
  override name = "WalletError";
}

/** All attempts to sign in to the embedded wallet have failed. */
export class AuthenticationError extends WalletError {
  override name = "AuthenticationError";
  constructor(cause?: unknown) {
    super("Failed to authenticate", { cause });
  }
}

/** The server did not register the pair of embedded and smart wallet. */
export class PairNotStored extends WalletError {
  override name = "PairNotStored";
  constructor(cause?: unknown) {
    super("Failed to store smart wallet", { cause });
  }
}

/** The configuration has no client id for the embedded wallet. Browsers never have a secret key. */
export class ClientIdMissing extends WalletError {
  override name = "ClientIdMissing";
  constructor() {
    super("clientId or secretKey must be provided");
  }
}

/** A smart wallet is to be connected without a chain. */
export class ChainMissing extends WalletError {
  override name = "ChainMissing";
  constructor() {
    super(
      "A chain must be provided either via 'chain' in connect options or 'defaultChainId' in ecosystem configuration. " +
        "Please pass it via connect() or update the ecosystem configuration.",
    );
  }
}

/** There is no contract at the address of the smart wallets' factory on a chain. */
export class FactoryNotDeployed extends WalletError {
  override name = "FactoryNotDeployed";
  constructor(chainId: number) {
    super(`Factory contract not deployed on chain: ${chainId}`);
  }
}

/** The configured EntryPoint is not the one of ERC-4337 v0.7, for which operations and paymasters are made. */
export class UnknownPaymasterVersion extends WalletError {
  override name = "UnknownPaymasterVersion";
  constructor() {
    super("Unknown paymaster version");
  }
}

/** A wallet without a connected account cannot switch its chain. */
export class NotConnected extends WalletError {
  override name = "NotConnected";
  constructor() {
    super("Cannot switch chain without a previous connection");
  }
}

/** No wallet in this browser has announced itself by that id. */
export class EcosystemWalletNotFound extends WalletError {
  override name = "EcosystemWalletNotFound";
  constructor() {
    super("Ecosystem wallet not found");
  }
}
