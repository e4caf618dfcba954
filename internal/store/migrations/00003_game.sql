-- +goose Up
-- What the built-in game platform keeps of a player beside the account.

CREATE TABLE currency_balance (
    player_id TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    code      TEXT   NOT NULL,
    amount    BIGINT NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (player_id, code)
);

-- Scores: what a player has best on a board.
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
    player_id TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    list      TEXT   NOT NULL,
    -- When it ends; 0 for never.
    until_at  BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, list)
);

-- Changes of balances that a game platform outside this database keeps, each once by its id.
CREATE TABLE currency_change (
    id             TEXT PRIMARY KEY,
    player_id      TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    code           TEXT   NOT NULL,
    -- Negative: taken from the player.
    amount         BIGINT NOT NULL,
    -- open, sent, overdrawn, done, returned or unclear
    state          TEXT   NOT NULL,
    -- The balance that was read before the platform was last asked to change it.
    balance_before BIGINT NOT NULL DEFAULT 0,
    -- Raised by each step: only who saw the last one may take the next.
    version        BIGINT NOT NULL DEFAULT 0,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
-- A balance has one change under way at a time.
CREATE UNIQUE INDEX currency_change_turn ON currency_change (player_id, code) WHERE state IN ('open', 'sent', 'overdrawn');
