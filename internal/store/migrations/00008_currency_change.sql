-- +goose Up
-- Changes of balances that a game platform outside this database keeps, each once by its id.
CREATE TABLE currency_change (
    id             TEXT PRIMARY KEY,
    player_id      TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    code           TEXT   NOT NULL,
    -- negative: taken from the player
    amount         BIGINT NOT NULL,
    -- open, sent, overdrawn, done, returned or unclear
    state          TEXT   NOT NULL,
    -- the balance that was read before the platform was last asked to change it
    balance_before BIGINT NOT NULL DEFAULT 0,
    -- raised by each step: only who saw the last one may take the next
    version        BIGINT NOT NULL DEFAULT 0,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
-- A balance has one change under way at a time.
CREATE UNIQUE INDEX currency_change_turn ON currency_change (player_id, code) WHERE state IN ('open', 'sent', 'overdrawn');

-- +goose Down
DROP TABLE currency_change;
