-- +goose Up
-- What a hand-off fixes before there is an order: the packs that were sold then ('' and 0 for other goods), and what the buyer's
-- browser has chosen ('' for nothing).
ALTER TABLE shop_hand_off ADD COLUMN kind    TEXT   NOT NULL DEFAULT '';
ALTER TABLE shop_hand_off ADD COLUMN edition BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shop_hand_off ADD COLUMN nonce   TEXT   NOT NULL DEFAULT '';
-- The edition of a line's packs, and the nonce of their draws; 0 and '' for other goods, and until the line's contents are known.
ALTER TABLE shop_line ADD COLUMN edition BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shop_line ADD COLUMN nonce   TEXT   NOT NULL DEFAULT '';

-- The public log of the first records of payments, one for each pack that is drawn. It is permanent.
CREATE TABLE payment_record (
    -- From 1, without gaps.
    number      BIGINT PRIMARY KEY,
    opening_id  TEXT   NOT NULL UNIQUE,
    kind        TEXT   NOT NULL,
    edition     BIGINT NOT NULL,
    table_hash  TEXT   NOT NULL,
    nonce       TEXT   NOT NULL,
    -- In seconds.
    recorded_at BIGINT NOT NULL,
    -- Of the record before; zeros for the first.
    previous    TEXT   NOT NULL,
    hash        TEXT   NOT NULL
);

-- Transactions of a wallet of the portal that have the hash of a record, and so fix all records up to it. The first that is final
-- decides the round of their openings.
CREATE TABLE record_anchor (
    number     BIGINT PRIMARY KEY,
    hash       TEXT   NOT NULL,
    begun_at   BIGINT NOT NULL,
    -- How often its transaction has failed.
    attempts   BIGINT NOT NULL DEFAULT 0,
    -- Where it is; 0 or '' until it is in a block.
    chain_id   BIGINT NOT NULL DEFAULT 0,
    wallet     TEXT   NOT NULL DEFAULT '',
    tx_hash    TEXT   NOT NULL DEFAULT '',
    block      BIGINT NOT NULL DEFAULT 0,
    -- 1 once the block is final, whose hash, time and margin (in seconds) are known from then on.
    final      BIGINT NOT NULL DEFAULT 0,
    block_hash TEXT   NOT NULL DEFAULT '',
    block_time BIGINT NOT NULL DEFAULT 0,
    margin     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX record_anchor_final ON record_anchor (final, number);

CREATE INDEX opening_kind ON opening (kind, place);
-- Of a purchase: the number of the anchor that decides its round, from which the round is known; 0 until it is final.
ALTER TABLE opening ADD COLUMN anchor BIGINT NOT NULL DEFAULT 0;
DROP INDEX opening_record;
CREATE INDEX opening_unanchored ON opening (record) WHERE record > 0 AND anchor = 0;

-- +goose Down
DROP INDEX opening_unanchored;
ALTER TABLE opening DROP COLUMN anchor;
CREATE INDEX opening_record ON opening (record) WHERE record > 0;
DROP INDEX opening_kind;
DROP TABLE record_anchor;
DROP TABLE payment_record;
ALTER TABLE shop_line DROP COLUMN nonce;
ALTER TABLE shop_line DROP COLUMN edition;
ALTER TABLE shop_hand_off DROP COLUMN nonce;
ALTER TABLE shop_hand_off DROP COLUMN edition;
ALTER TABLE shop_hand_off DROP COLUMN kind;
