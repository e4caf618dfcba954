-- +goose Up
-- A drop table belongs to its packs for ever. What was opened before editions was drawn by tables that changed with time.
UPDATE reward SET state = 'failed', error = 'This pack was opened before packs had editions.'
WHERE state = 'pending' AND source IN (SELECT id FROM opening WHERE drawn_at = 0);
DROP TABLE opening;
DROP TABLE drop_count;
DROP TABLE drop_table;

-- Random openings: one for each burned copy or bought unit. They are public and permanent, also when the player is gone.
CREATE TABLE opening (
    -- The source of its reward.
    id           TEXT   PRIMARY KEY,
    -- What is opened: an edition of a kind; '' and 0 for a burned token whose table is not known yet.
    kind         TEXT   NOT NULL,
    edition      BIGINT NOT NULL,
    -- The wallet that burned the pack; '' for a purchase.
    wallet       TEXT   NOT NULL,
    -- The burn; log_index counts within the transaction, number within the log. All 0 or '' for a purchase.
    chain_id     BIGINT NOT NULL,
    contract     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    tx_hash      TEXT   NOT NULL,
    log_index    BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    block_hash   TEXT   NOT NULL,
    -- Of the burn's block, or when the payment was first recorded.
    block_time   BIGINT NOT NULL,
    -- How far behind the clock the block can be dated, in seconds.
    margin       BIGINT NOT NULL,
    -- The purchase; '' or 0 for a burn. record is the number of the payment's record, from 1.
    shop         TEXT   NOT NULL DEFAULT '',
    shop_order   BIGINT NOT NULL DEFAULT 0,
    shop_line    BIGINT NOT NULL DEFAULT 0,
    shop_unit    BIGINT NOT NULL DEFAULT 0,
    nonce        TEXT   NOT NULL DEFAULT '',
    record       BIGINT NOT NULL DEFAULT 0,
    -- Its place in the order in which openings are drawn.
    place        BIGINT NOT NULL UNIQUE,
    -- The beacon's round that decides it; 0 while it is not known.
    round        BIGINT NOT NULL,
    -- All below is set when it is drawn.
    drop_id      TEXT   NOT NULL DEFAULT '',
    -- The rank of the drop's rarity, which the pity rule counts.
    rank         BIGINT NOT NULL DEFAULT 0,
    receipt      TEXT   NOT NULL DEFAULT '',
    drawn_at     BIGINT NOT NULL DEFAULT 0,
    -- Why it cannot be drawn.
    error        TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX opening_waiting ON opening (kind, place) WHERE drawn_at = 0;
CREATE INDEX opening_wallet ON opening (wallet, kind, place);
CREATE INDEX opening_record ON opening (record) WHERE record > 0;

-- How often each drop was drawn.
CREATE TABLE drop_count (
    kind    TEXT   NOT NULL,
    edition BIGINT NOT NULL,
    drop_id TEXT   NOT NULL,
    -- All of them.
    drawn   BIGINT NOT NULL DEFAULT 0,
    -- How often its weight was hit among all drops of the table: neither by the pity rule nor as a substitute.
    hit     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, edition, drop_id)
);

-- How many units of each token the openings of a kind have given, over all editions. Caps count them.
CREATE TABLE item_given (
    kind  TEXT   NOT NULL,
    item  TEXT   NOT NULL,
    units BIGINT NOT NULL,
    PRIMARY KEY (kind, item)
);

-- Drop tables that were known at a start: they can never change.
CREATE TABLE drop_table (
    kind       TEXT   NOT NULL,
    edition    BIGINT NOT NULL,
    canonical  TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, edition)
);

-- Tables whose hash a wallet of the portal has fixed in a final transaction.
CREATE TABLE table_anchor (
    hash       TEXT   PRIMARY KEY,
    chain_id   BIGINT NOT NULL,
    wallet     TEXT   NOT NULL,
    tx_hash    TEXT   NOT NULL,
    block      BIGINT NOT NULL,
    block_time BIGINT NOT NULL
);

-- +goose Down
DROP TABLE table_anchor;
DROP TABLE drop_table;
DROP TABLE item_given;
DROP TABLE drop_count;
DROP TABLE opening;
CREATE TABLE opening (
    id           TEXT   PRIMARY KEY,
    kind         TEXT   NOT NULL,
    wallet       TEXT   NOT NULL,
    chain_id     BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    log_index    BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    block_time   BIGINT NOT NULL,
    place        BIGINT NOT NULL UNIQUE,
    round        BIGINT NOT NULL,
    version      BIGINT NOT NULL DEFAULT 0,
    drop_id      TEXT   NOT NULL DEFAULT '',
    without      BIGINT NOT NULL DEFAULT 0,
    receipt      TEXT   NOT NULL DEFAULT '',
    drawn_at     BIGINT NOT NULL DEFAULT 0,
    error        TEXT   NOT NULL DEFAULT '',
    shop         TEXT   NOT NULL DEFAULT '',
    shop_order   BIGINT NOT NULL DEFAULT 0,
    shop_line    BIGINT NOT NULL DEFAULT 0,
    shop_unit    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX opening_waiting ON opening (kind, place) WHERE drawn_at = 0;
CREATE INDEX opening_wallet ON opening (wallet, kind, place);
CREATE TABLE drop_count (
    kind    TEXT   NOT NULL,
    version BIGINT NOT NULL,
    drop_id TEXT   NOT NULL,
    drawn   BIGINT NOT NULL DEFAULT 0,
    hit     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, version, drop_id)
);
CREATE TABLE drop_table (
    kind       TEXT   NOT NULL,
    version    BIGINT NOT NULL,
    canonical  TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, version)
);
