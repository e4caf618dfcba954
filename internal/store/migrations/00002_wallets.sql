-- +goose Up
CREATE TABLE wallet (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    owner_address TEXT   NOT NULL UNIQUE,
    -- The owner key, sealed with the player's id as associated data: it opens for no other player.
    sealed_key    TEXT   NOT NULL,
    smart_address TEXT   NOT NULL UNIQUE,
    created_at    BIGINT NOT NULL,
    -- When the browser registered the pair; 0 until then.
    stored_at     BIGINT NOT NULL DEFAULT 0
);

-- The fingerprint of the key that seals the wallets, from the first start on: a process with another key does not start.
CREATE TABLE signer_key (
    id          BIGINT PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT   NOT NULL,
    kept_at     BIGINT NOT NULL
);

-- Wallets of accounts that are frozen, deleted or will be: nothing is bought from them. They outlive their accounts.
CREATE TABLE closed_wallet (
    address   TEXT PRIMARY KEY,
    -- closing or reopening until the index has settled the wallet's listings; closed
    state     TEXT   NOT NULL,
    closed_at BIGINT NOT NULL
);
CREATE INDEX closed_wallet_unsettled ON closed_wallet (address) WHERE state <> 'closed';

-- The wallet of their own that a player has proven to hold.
CREATE TABLE verified_wallet (
    player_id   TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    address     TEXT   NOT NULL UNIQUE,
    -- The chain it was proven on; of an account that is a contract another chain may know nothing.
    chain_id    BIGINT NOT NULL,
    verified_at BIGINT NOT NULL
);

-- The message a player was asked to sign for it: the newest only, and once.
CREATE TABLE wallet_challenge (
    player_id  TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    nonce      TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    chain_id   BIGINT NOT NULL,
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
