-- +goose Up
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

-- How far a chain was read when the player last looked at game items. What was received in later blocks is new. A wallet
-- has seen all that was there when it was registered.
CREATE TABLE items_seen (
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    PRIMARY KEY (player_id, chain_id)
);
INSERT INTO items_seen (player_id, chain_id, block_number)
SELECT w.player_id, c.chain_id, c.block_number FROM wallet w CROSS JOIN chain_cursor c WHERE w.stored_at > 0;

-- +goose Down
DROP TABLE items_seen;
DROP TABLE season_avatar;
DROP TABLE vault_claim;
