-- +goose Up
-- Players who come from elsewhere, and what they own elsewhere.

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

-- Accounts at others by which players of the built-in platform sign in, such as provider 'x' and the id there.
CREATE TABLE linked_account (
    provider    TEXT   NOT NULL,
    external_id TEXT   NOT NULL,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (provider, external_id)
);
CREATE UNIQUE INDEX linked_account_player ON linked_account (player_id, provider);

-- Sign-ins under way at another site, by the hash of their state.
CREATE TABLE sign_in_attempt (
    state_hash   TEXT PRIMARY KEY,
    -- Hash of what the browser keeps that began it.
    binding_hash TEXT   NOT NULL,
    verifier     TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_expiry ON sign_in_attempt (expires_at);

-- One-time contexts that were used, by the hash of their jti, for as long as they would still be good.
CREATE TABLE used_context (
    id         TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_context_expiry ON used_context (expires_at);

-- What a player's link from a game said about where they come from: a JSON object of texts.
CREATE TABLE arrival (
    session_id TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    parameters TEXT   NOT NULL,
    at         BIGINT NOT NULL
);
CREATE INDEX arrival_player ON arrival (player_id);

-- +goose Down
DROP TABLE arrival;
DROP TABLE used_context;
DROP TABLE sign_in_attempt;
DROP TABLE linked_account;
DROP TABLE wallet_challenge;
DROP TABLE verified_wallet;
