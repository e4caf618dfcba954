-- +goose Up
-- When the player confirmed the account's email address, in milliseconds; 0 for not yet.
ALTER TABLE player ADD COLUMN email_confirmed_at BIGINT NOT NULL DEFAULT 0;

-- An opaque tag of the network that the request for the hold came from; '' where it is not known.
ALTER TABLE cart_hold ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE INDEX cart_hold_network ON cart_hold (network);

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
CREATE INDEX hold_time_player ON hold_time (player_id, listing_id, ended_at);
CREATE INDEX hold_time_end ON hold_time (ended_at);

-- The last time a player was told to wait for holding much without buying.
CREATE TABLE hold_wait (
    player_id TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    -- How many waits in a row this is, from 1.
    step      BIGINT NOT NULL,
    ends_at   BIGINT NOT NULL
);

-- A hold that lapsed had lasted ten minutes, of a listing that was not noted.
INSERT INTO hold_time (player_id, listing_id, began_at, ended_at, unit_time)
SELECT player_id, '', lapsed_at - 600000, lapsed_at, 600000 FROM hold_lapse;
DROP TABLE hold_lapse;

-- Money that players' wallets received within the last minute: it does not count for holds yet.
CREATE TABLE recent_funds (
    wallet     TEXT   NOT NULL REFERENCES wallet (smart_address) ON DELETE CASCADE,
    amount     TEXT   NOT NULL,
    arrived_at BIGINT NOT NULL
);
CREATE INDEX recent_funds_wallet ON recent_funds (wallet);

-- +goose Down
DROP TABLE recent_funds;
CREATE TABLE hold_lapse (
    id         TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    lapsed_at  BIGINT NOT NULL
);
CREATE INDEX hold_lapse_player ON hold_lapse (player_id, lapsed_at);
DROP TABLE hold_wait;
DROP TABLE hold_time;
DROP TABLE hold_network;
DROP INDEX cart_hold_network;
ALTER TABLE cart_hold DROP COLUMN network;
ALTER TABLE player DROP COLUMN email_confirmed_at;
