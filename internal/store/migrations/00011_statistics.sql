-- +goose Up
-- Scores of the built-in game platform: what a player has best on a board.
CREATE TABLE statistic (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    board      TEXT   NOT NULL,
    score      BIGINT NOT NULL,
    -- Of two who have scored the same, the first to get there stands above.
    reached_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, board)
);
CREATE INDEX statistic_rank ON statistic (board, score DESC, reached_at, player_id);

-- Lists of players, such as those who are let in early.
CREATE TABLE whitelist_entry (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    list       TEXT   NOT NULL,
    -- When it ends; 0 for never.
    until_at   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, list)
);

-- What players were given and what wallets have burned, for their activity.
CREATE INDEX reward_player ON reward (player_id);
CREATE INDEX token_transfer_burn ON token_transfer (from_address, time)
    WHERE to_address = '0x0000000000000000000000000000000000000000';

-- +goose Down
DROP INDEX token_transfer_burn;
DROP INDEX reward_player;
DROP TABLE whitelist_entry;
DROP TABLE statistic;
