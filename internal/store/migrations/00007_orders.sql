-- +goose Up
CREATE TABLE purchase_order (
    id            TEXT PRIMARY KEY,
    player_id     TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    wallet        TEXT   NOT NULL,
    chain_id      BIGINT NOT NULL,
    currency      TEXT   NOT NULL,
    total         TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    user_op_hash  TEXT   NOT NULL DEFAULT '',
    tx_hash       TEXT   NOT NULL DEFAULT '',
    error         TEXT   NOT NULL DEFAULT '',
    -- The block that ended it; 0 while it is open.
    settled_block BIGINT NOT NULL DEFAULT 0,
    -- The calls the wallet has to make, as JSON.
    calls         TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    -- The SHA-256 of calls, in hex: by it the order is found that an operation pays for.
    calls_hash    TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX purchase_order_player ON purchase_order (player_id, created_at);
CREATE INDEX purchase_order_calls ON purchase_order (player_id, calls_hash, created_at);
CREATE INDEX purchase_order_waiting ON purchase_order (player_id) WHERE state = 'awaiting-payment';
CREATE INDEX purchase_order_open ON purchase_order (expires_at) WHERE state IN ('awaiting-payment', 'submitted', 'confirming');
CREATE UNIQUE INDEX purchase_order_op ON purchase_order (user_op_hash) WHERE user_op_hash <> '';
CREATE INDEX purchase_order_settled ON purchase_order (chain_id, settled_block) WHERE settled_block > 0;

CREATE TABLE order_item (
    order_id   TEXT   NOT NULL REFERENCES purchase_order (id) ON DELETE CASCADE,
    line       BIGINT NOT NULL,
    listing_id TEXT   NOT NULL,
    number     TEXT   NOT NULL,
    contract   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    seller     TEXT   NOT NULL,
    quantity   BIGINT NOT NULL,
    price      TEXT   NOT NULL,
    -- How many of them the chain says are bought.
    bought     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (order_id, line)
);
CREATE INDEX order_item_listing ON order_item (listing_id);

-- The order's timeline, as the player sees it.
CREATE TABLE order_event (
    order_id TEXT   NOT NULL REFERENCES purchase_order (id) ON DELETE CASCADE,
    seq      BIGINT NOT NULL,
    state    TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    detail   TEXT   NOT NULL,
    PRIMARY KEY (order_id, seq)
);
