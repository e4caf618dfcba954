-- +goose Up
-- One unit of a listing, kept for one player for a while. Units are numbered 0 to quantity-1.
CREATE TABLE cart_hold (
    listing_id TEXT   NOT NULL REFERENCES listing (id) ON DELETE CASCADE,
    unit       BIGINT NOT NULL,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    held_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- What one cost when it was put in the cart, in base units.
    price      TEXT   NOT NULL,
    -- The order that is paying for it, and so has extended it; '' for none.
    order_id   TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (listing_id, unit)
);
CREATE INDEX cart_hold_player ON cart_hold (player_id);
CREATE INDEX cart_hold_expiry ON cart_hold (expires_at);

-- A listing with its token's description and its holds ("unit player held_at expires_at", comma-separated), for pages and messages.
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes, t.words,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;

-- Holds that ended unused, for the rule that nobody can freeze the market.
CREATE TABLE hold_lapse (
    id         TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    lapsed_at  BIGINT NOT NULL
);
CREATE INDEX hold_lapse_player ON hold_lapse (player_id, lapsed_at);

CREATE TABLE purchase_order (
    id           TEXT PRIMARY KEY,
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    wallet       TEXT   NOT NULL,
    chain_id     BIGINT NOT NULL,
    currency     TEXT   NOT NULL,
    total        TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    user_op_hash TEXT   NOT NULL DEFAULT '',
    tx_hash      TEXT   NOT NULL DEFAULT '',
    error        TEXT   NOT NULL DEFAULT '',
    -- The block that ended it; 0 while it is open.
    settled_block BIGINT NOT NULL DEFAULT 0,
    -- The calls the wallet has to make, as JSON.
    calls        TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX purchase_order_player ON purchase_order (player_id, created_at);
CREATE INDEX purchase_order_open ON purchase_order (expires_at) WHERE state IN ('awaiting-payment', 'submitted', 'confirming');
CREATE UNIQUE INDEX purchase_order_op ON purchase_order (user_op_hash) WHERE user_op_hash <> '';

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

-- +goose Down
DROP VIEW listing_card;
DROP TABLE order_event;
DROP TABLE order_item;
DROP TABLE purchase_order;
DROP TABLE hold_lapse;
DROP TABLE cart_hold;
