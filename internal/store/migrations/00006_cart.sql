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
    -- An opaque tag of the network that the request for the hold came from; '' where it is not known.
    network    TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (listing_id, unit)
);
CREATE INDEX cart_hold_expiry ON cart_hold (expires_at);
-- Holds are counted by player and by network on the index alone.
CREATE INDEX cart_hold_player ON cart_hold (player_id, expires_at);
CREATE INDEX cart_hold_network ON cart_hold (network, expires_at);

-- A listing with its token's description and its holds ("unit player held_at expires_at", comma-separated), for pages and messages.
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.returned, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT v.version FROM listing_version v WHERE v.listing_id = l.id), 0) AS BIGINT) AS version
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;

-- Networks that have held something: a row is locked while a player of the network takes a unit, so that two of them
-- cannot take the last one allowed at the same time. Only PostgreSQL needs it.
CREATE TABLE hold_network (
    network TEXT PRIMARY KEY,
    turn    BIGINT NOT NULL
);

-- The time for which players held units without buying them, for the limits on holding. It is kept for a few hours.
CREATE TABLE hold_time (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    listing_id TEXT   NOT NULL,
    -- The part of the hold in which no other row of the player and listing counts: these parts never overlap.
    began_at   BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    -- How long the unit was held, in milliseconds.
    unit_time  BIGINT NOT NULL,
    -- 1 once the player has bought from the listing.
    bought     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX hold_time_end ON hold_time (ended_at);
-- The times are added up on the index alone.
CREATE INDEX hold_time_player ON hold_time (player_id, listing_id, ended_at, bought, began_at);

-- The last time a player was told to wait for holding much without buying.
CREATE TABLE hold_wait (
    player_id TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    -- How many waits in a row this is, from 1.
    step      BIGINT NOT NULL,
    ends_at   BIGINT NOT NULL
);

-- Holds that an act of the seller ended. Until they would have ended by themselves, the portal lists no unit for more than its
-- holder would have paid.
CREATE TABLE ended_hold (
    chain_id     BIGINT NOT NULL,
    seller       TEXT   NOT NULL,
    contract     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    listing_id   TEXT   NOT NULL,
    unit         BIGINT NOT NULL,
    price        TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL,
    -- The first block in which the hold may have ended.
    block_number BIGINT NOT NULL,
    PRIMARY KEY (listing_id, unit, expires_at)
);
CREATE INDEX ended_hold_token ON ended_hold (contract, token_id, expires_at);
CREATE INDEX ended_hold_age ON ended_hold (expires_at);

-- Money that players' wallets received within the last minute: it does not count for holds yet.
CREATE TABLE recent_funds (
    wallet     TEXT   NOT NULL REFERENCES wallet (smart_address) ON DELETE CASCADE,
    amount     TEXT   NOT NULL,
    arrived_at BIGINT NOT NULL
);
CREATE INDEX recent_funds_wallet ON recent_funds (wallet);
