-- SQLite stores a table beside the index of its primary key, unless it is WITHOUT ROWID. These tables are written with
-- each hold and read by key or by its first column, so that one structure instead of two halves the cost.
CREATE TABLE moved AS SELECT * FROM cart_hold;
DROP TABLE cart_hold;
CREATE TABLE cart_hold (
    listing_id TEXT   NOT NULL REFERENCES listing (id) ON DELETE CASCADE,
    unit       BIGINT NOT NULL,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    held_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    price      TEXT   NOT NULL,
    order_id   TEXT   NOT NULL DEFAULT '',
    network    TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (listing_id, unit)
) WITHOUT ROWID;
INSERT INTO cart_hold SELECT * FROM moved;
DROP TABLE moved;
CREATE INDEX cart_hold_player ON cart_hold (player_id, expires_at);
CREATE INDEX cart_hold_expiry ON cart_hold (expires_at);
CREATE INDEX cart_hold_network ON cart_hold (network, expires_at);

CREATE TABLE moved AS SELECT * FROM listing_version;
DROP TABLE listing_version;
CREATE TABLE listing_version (
    listing_id TEXT PRIMARY KEY,
    version    BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO listing_version SELECT * FROM moved;
DROP TABLE moved;

CREATE TABLE moved AS SELECT * FROM outbox;
DROP TABLE outbox;
CREATE TABLE outbox (
    id         TEXT PRIMARY KEY,
    topic      TEXT   NOT NULL,
    target     TEXT   NOT NULL,
    payload    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO outbox SELECT * FROM moved;
DROP TABLE moved;
