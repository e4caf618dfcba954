-- +goose Up
-- Times are milliseconds since 1970 UTC; 0 means never. Addresses are lower-case text. Amounts of tokens are decimal text.

-- A player as the portal knows one, whichever game platform keeps the account.
CREATE TABLE player (
    id           TEXT PRIMARY KEY,
    display_name TEXT   NOT NULL,
    email        TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    -- Raised by each change of the player's holds: on PostgreSQL the row lock makes those changes take turns.
    hold_turn    BIGINT NOT NULL DEFAULT 0
);

-- The built-in game platform's accounts.
CREATE TABLE local_account (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    email_key     TEXT NOT NULL UNIQUE,
    name_key      TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
);

CREATE TABLE currency_balance (
    player_id TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    code      TEXT   NOT NULL,
    amount    BIGINT NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (player_id, code)
);

CREATE TABLE session (
    id          TEXT PRIMARY KEY,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    secret_hash TEXT   NOT NULL UNIQUE,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    revoked_at  BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX session_player ON session (player_id);

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

-- Each thing a player is owed, once by its source; see the reward states in the glossary.
CREATE TABLE reward (
    source     TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL,
    detail     TEXT   NOT NULL,
    state      TEXT   NOT NULL,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX reward_open ON reward (created_at) WHERE state IN ('pending', 'drawn', 'sending');

-- Messages that share a transaction with the effect they tell of.
CREATE TABLE outbox (
    id         TEXT PRIMARY KEY,
    topic      TEXT   NOT NULL,
    target     TEXT   NOT NULL,
    payload    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Which replica carries a background role, and until when.
CREATE TABLE lease (
    name       TEXT PRIMARY KEY,
    holder     TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE lease;
DROP TABLE outbox;
DROP TABLE reward;
DROP TABLE wallet;
DROP TABLE session;
DROP TABLE currency_balance;
DROP TABLE local_account;
DROP TABLE player;
