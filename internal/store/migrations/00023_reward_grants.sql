-- +goose Up
-- A reward is what one source earned. Its grants are given one by one.
DROP INDEX reward_open;
DROP INDEX reward_player;
ALTER TABLE reward RENAME TO reward_before;
CREATE TABLE reward (
    -- What earned it; unique.
    source     TEXT PRIMARY KEY,
    -- NULL until the wallet that earned it is registered.
    player_id  TEXT REFERENCES player (id) ON DELETE CASCADE,
    -- The wallet that burned the tokens; '' for rewards that no wallet earned.
    wallet     TEXT   NOT NULL,
    origin     TEXT   NOT NULL,
    -- The chain and transaction of the burn; 0 and '' for none.
    chain_id   BIGINT NOT NULL,
    tx_hash    TEXT   NOT NULL,
    -- What pages and messages say about it, as JSON.
    detail     TEXT   NOT NULL,
    -- pending (its draw is due), drawn, sending, done, failed.
    state      TEXT   NOT NULL,
    error      TEXT   NOT NULL DEFAULT '',
    -- The time of the burn's block, or of the recording.
    earned_at  BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
INSERT INTO reward (source, player_id, wallet, origin, chain_id, tx_hash, detail, state, error, earned_at, created_at, updated_at)
SELECT source, player_id, '', CASE WHEN source LIKE 'faucet/%' THEN 'faucet' ELSE 'gift' END, 0, '', '{}',
    CASE state WHEN 'pending' THEN 'drawn' ELSE state END, error, created_at, created_at, updated_at
FROM reward_before;
CREATE TABLE reward_grant (
    source     TEXT   NOT NULL REFERENCES reward (source) ON DELETE CASCADE,
    number     BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    detail     TEXT   NOT NULL,
    -- pending, sending, done, failed.
    state      TEXT   NOT NULL,
    error      TEXT   NOT NULL DEFAULT '',
    attempts   BIGINT NOT NULL DEFAULT 0,
    due_at     BIGINT NOT NULL DEFAULT 0,
    -- How often an operator had it given again after it had failed.
    redone     BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (source, number)
);
INSERT INTO reward_grant (source, number, kind, detail, state, error, attempts, due_at, created_at, updated_at)
SELECT source, 0, kind, detail, CASE state WHEN 'drawn' THEN 'pending' ELSE state END, error, attempts, due_at, created_at, updated_at
FROM reward_before;
DROP TABLE reward_before;
CREATE INDEX reward_player ON reward (player_id, earned_at, source);
CREATE INDEX reward_pace ON reward (chain_id, created_at) WHERE chain_id <> 0;
CREATE INDEX reward_unowned ON reward (wallet) WHERE player_id IS NULL;
CREATE INDEX reward_tx ON reward (tx_hash) WHERE tx_hash <> '';
CREATE INDEX reward_failed ON reward (updated_at) WHERE state = 'failed';
CREATE INDEX reward_grant_open ON reward_grant (state, due_at, created_at, source, number) WHERE state IN ('pending', 'sending');

-- The last burn whose reward was recorded, in chain order: of the entry named by block, log and place in the log, this
-- many copies.
ALTER TABLE chain_cursor ADD COLUMN settled_block BIGINT NOT NULL DEFAULT -1;
ALTER TABLE chain_cursor ADD COLUMN settled_log BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chain_cursor ADD COLUMN settled_sub BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chain_cursor ADD COLUMN settled_copies BIGINT NOT NULL DEFAULT 0;
CREATE INDEX token_transfer_burns ON token_transfer (chain_id, block_number, log_index, sub_index)
WHERE to_address = '0x0000000000000000000000000000000000000000' AND standard <> 'erc20';

-- Random openings: one for each burned copy. They are public and permanent, also when the player is gone.
CREATE TABLE opening (
    -- The source of its reward.
    id           TEXT   PRIMARY KEY,
    -- What is opened: the kind of its drop tables.
    kind         TEXT   NOT NULL,
    wallet       TEXT   NOT NULL,
    -- The burn; log_index counts within the transaction, number within the log.
    chain_id     BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    log_index    BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    block_time   BIGINT NOT NULL,
    -- Its place in the order in which openings are drawn.
    place        BIGINT NOT NULL UNIQUE,
    -- The beacon's round that decides it.
    round        BIGINT NOT NULL,
    -- All below is set when it is drawn.
    version      BIGINT NOT NULL DEFAULT 0,
    drop_id      TEXT   NOT NULL DEFAULT '',
    -- The wallet's openings of the kind, in a row up to this one, without a drop that the pity rule asks for.
    without      BIGINT NOT NULL DEFAULT 0,
    receipt      TEXT   NOT NULL DEFAULT '',
    drawn_at     BIGINT NOT NULL DEFAULT 0,
    -- Why it cannot be drawn.
    error        TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX opening_waiting ON opening (place) WHERE drawn_at = 0;
CREATE INDEX opening_wallet ON opening (wallet, kind, place);

-- How often each drop was drawn.
CREATE TABLE drop_count (
    kind    TEXT   NOT NULL,
    version BIGINT NOT NULL,
    drop_id TEXT   NOT NULL,
    -- All of them.
    drawn   BIGINT NOT NULL DEFAULT 0,
    -- How often its weight was hit among all drops of the table: neither by the pity rule nor as a substitute.
    hit     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, version, drop_id)
);

-- Drop tables that were in force or announced at a start: they can never change.
CREATE TABLE drop_table (
    kind       TEXT   NOT NULL,
    version    BIGINT NOT NULL,
    canonical  TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, version)
);

-- +goose Down
DROP TABLE drop_table;
DROP TABLE drop_count;
DROP TABLE opening;
DROP INDEX token_transfer_burns;
ALTER TABLE chain_cursor DROP COLUMN settled_copies;
ALTER TABLE chain_cursor DROP COLUMN settled_sub;
ALTER TABLE chain_cursor DROP COLUMN settled_log;
ALTER TABLE chain_cursor DROP COLUMN settled_block;
DROP INDEX reward_player;
DROP INDEX reward_unowned;
DROP INDEX reward_tx;
DROP INDEX reward_failed;
DROP INDEX reward_pace;
ALTER TABLE reward RENAME TO reward_after;
CREATE TABLE reward (
    source     TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL,
    detail     TEXT   NOT NULL,
    state      TEXT   NOT NULL,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    attempts   BIGINT NOT NULL DEFAULT 0,
    due_at     BIGINT NOT NULL DEFAULT 0
);
INSERT INTO reward (source, player_id, kind, detail, state, error, created_at, updated_at, attempts, due_at)
SELECT g.source, r.player_id, g.kind, g.detail, g.state, g.error, g.created_at, g.updated_at, g.attempts, g.due_at
FROM reward_grant g JOIN reward_after r ON r.source = g.source WHERE g.number = 0 AND r.player_id IS NOT NULL;
DROP TABLE reward_grant;
DROP TABLE reward_after;
CREATE INDEX reward_open ON reward (state, due_at, created_at, source) WHERE state IN ('pending', 'drawn', 'sending');
CREATE INDEX reward_player ON reward (player_id);
