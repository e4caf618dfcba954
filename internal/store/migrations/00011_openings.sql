-- +goose Up
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
    -- All below but the anchor is set when it is drawn.
    drop_id      TEXT   NOT NULL DEFAULT '',
    -- The rank of the drop's rarity, which the pity rule counts.
    rank         BIGINT NOT NULL DEFAULT 0,
    receipt      TEXT   NOT NULL DEFAULT '',
    drawn_at     BIGINT NOT NULL DEFAULT 0,
    -- Why it cannot be drawn.
    error        TEXT   NOT NULL DEFAULT '',
    -- Of a purchase: the number of the anchor that decides its round, from which the round is known; 0 until it is final.
    anchor       BIGINT NOT NULL DEFAULT 0
);
-- Openings are drawn in the order of their places within their kind.
CREATE INDEX opening_waiting ON opening (kind, place) WHERE drawn_at = 0;
CREATE INDEX opening_kind ON opening (kind, place);
CREATE INDEX opening_wallet ON opening (wallet, kind, place);
CREATE INDEX opening_unanchored ON opening (record) WHERE record > 0 AND anchor = 0;

-- One row, which transactions update before they add openings: so they take places one after another.
CREATE TABLE opening_lock (held BIGINT NOT NULL);
INSERT INTO opening_lock (held) VALUES (0);

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
