-- +goose Up
-- A reward is what one source earned. Its grants are given one by one. See the reward states in the glossary.
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
CREATE INDEX reward_player ON reward (player_id, earned_at, source);
CREATE INDEX reward_pace ON reward (chain_id, created_at) WHERE chain_id <> 0;
CREATE INDEX reward_unowned ON reward (wallet) WHERE player_id IS NULL;
CREATE INDEX reward_tx ON reward (tx_hash) WHERE tx_hash <> '';
CREATE INDEX reward_failed ON reward (updated_at) WHERE state = 'failed';

CREATE TABLE reward_grant (
    source     TEXT   NOT NULL REFERENCES reward (source) ON DELETE CASCADE,
    number     BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    detail     TEXT   NOT NULL,
    -- pending, sending, done, failed.
    state      TEXT   NOT NULL,
    error      TEXT   NOT NULL DEFAULT '',
    -- One that cannot be given for the moment is due again later, so that it does not hold up the others.
    attempts   BIGINT NOT NULL DEFAULT 0,
    due_at     BIGINT NOT NULL DEFAULT 0,
    -- How often an operator had it given again after it had failed.
    redone     BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- When it may be given at the earliest; 0 for at once.
    not_before BIGINT NOT NULL DEFAULT 0,
    -- What the treasury is to send, and how much of it: a contract and a token id, '' for grants of other kinds.
    contract   TEXT   NOT NULL DEFAULT '',
    token_id   TEXT   NOT NULL DEFAULT '',
    amount     BIGINT NOT NULL DEFAULT 0,
    -- 1 while the order that earned it is not paid in the shop, such as while its payment is disputed: it is not given.
    held       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (source, number)
);
CREATE INDEX reward_grant_open ON reward_grant (state, due_at, created_at, source, number) WHERE state IN ('pending', 'sending');
CREATE INDEX reward_grant_transfer ON reward_grant (state, updated_at) WHERE contract <> '';

-- One row, which transactions update before they take from the treasury: so they do it one after another.
CREATE TABLE treasury_lock (held BIGINT NOT NULL);
INSERT INTO treasury_lock (held) VALUES (0);

-- Vaults of Elder Gods that were claimed: each once a season, whoever owned the god. They outlive the player.
CREATE TABLE vault_claim (
    season     TEXT   NOT NULL,
    contract   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    -- Of the reward.
    source     TEXT   NOT NULL,
    claimed_at BIGINT NOT NULL,
    PRIMARY KEY (season, contract, token_id)
);

-- Season avatars that were claimed: one for each smart wallet, each id once.
CREATE TABLE season_avatar (
    wallet     TEXT   PRIMARY KEY,
    token_id   BIGINT NOT NULL UNIQUE,
    season     TEXT   NOT NULL,
    claimed_at BIGINT NOT NULL
);
