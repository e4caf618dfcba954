-- +goose Up
-- What players take out of their smart wallets; see package withdrawal.
CREATE TABLE withdrawal (
    id          TEXT PRIMARY KEY,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    sender      TEXT   NOT NULL,
    recipient   TEXT   NOT NULL,
    -- 1 if the recipient is the player's verified wallet.
    own         BIGINT NOT NULL,
    -- unconfirmed, confirmed, done, cancelled or expired
    state       TEXT   NOT NULL,
    reason      TEXT   NOT NULL DEFAULT '',
    -- The token of the emailed link that cancels it; '' for none.
    cancel_hash TEXT   NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL,
    -- When it can be sent; 0 until it is confirmed.
    ready_at    BIGINT NOT NULL DEFAULT 0,
    expires_at  BIGINT NOT NULL,
    -- 1 once the player has been told that it is ready, or need not be told.
    told        BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX withdrawal_player ON withdrawal (player_id, created_at, id);
CREATE INDEX withdrawal_open ON withdrawal (expires_at) WHERE state IN ('unconfirmed', 'confirmed');
CREATE INDEX withdrawal_untold ON withdrawal (ready_at) WHERE told = 0;
CREATE INDEX withdrawal_cancel ON withdrawal (cancel_hash) WHERE cancel_hash <> '';

-- The parts of a withdrawal, one for each operation.
CREATE TABLE withdrawal_part (
    id            TEXT PRIMARY KEY,
    withdrawal_id TEXT   NOT NULL REFERENCES withdrawal (id) ON DELETE CASCADE,
    number        BIGINT NOT NULL,
    chain_id      BIGINT NOT NULL,
    -- JSON: contract, standard, tokenId and amount of each.
    assets        TEXT   NOT NULL,
    -- open, sending, sent or failed
    state         TEXT   NOT NULL,
    -- The operation that it is bound to, its nonce, and when it was bound; '' and 0 for none.
    operation     TEXT   NOT NULL DEFAULT '',
    nonce         TEXT   NOT NULL DEFAULT '',
    bound_at      BIGINT NOT NULL DEFAULT 0,
    tx_hash       TEXT   NOT NULL DEFAULT '',
    error         TEXT   NOT NULL DEFAULT '',
    -- The block with the operation; 0 for none.
    settled_block BIGINT NOT NULL DEFAULT 0,
    UNIQUE (withdrawal_id, number)
);
CREATE INDEX withdrawal_part_operation ON withdrawal_part (operation) WHERE operation <> '';
CREATE INDEX withdrawal_part_tx ON withdrawal_part (tx_hash) WHERE tx_hash <> '';
CREATE INDEX withdrawal_part_settled ON withdrawal_part (chain_id, settled_block) WHERE settled_block > 0;

-- Addresses that a player has saved, with a name.
CREATE TABLE saved_address (
    player_id TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    address   TEXT   NOT NULL,
    label     TEXT   NOT NULL,
    saved_at  BIGINT NOT NULL,
    PRIMARY KEY (player_id, address)
);
