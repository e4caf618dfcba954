-- +goose Up
-- The players' names in the form in which they are compared, whichever game platform keeps the accounts: a name is one
-- player's. A player without a row has a name that is another's already, as the game gives them.
CREATE TABLE player_name (
    name_key  TEXT PRIMARY KEY,
    player_id TEXT NOT NULL UNIQUE REFERENCES player (id) ON DELETE CASCADE
);
INSERT INTO player_name (name_key, player_id) SELECT name_key, player_id FROM local_account;

-- A column that is unique cannot be dropped on both engines.
CREATE TABLE local_account_without_name (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    email_key     TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
);
INSERT INTO local_account_without_name (player_id, email_key, password_hash) SELECT player_id, email_key, password_hash FROM local_account;
DROP TABLE local_account;
ALTER TABLE local_account_without_name RENAME TO local_account;

-- +goose Down
CREATE TABLE local_account_with_name (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    email_key     TEXT NOT NULL UNIQUE,
    name_key      TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
);
INSERT INTO local_account_with_name (player_id, email_key, name_key, password_hash)
SELECT a.player_id, a.email_key, n.name_key, a.password_hash FROM local_account a JOIN player_name n ON n.player_id = a.player_id;
DROP TABLE local_account;
ALTER TABLE local_account_with_name RENAME TO local_account;
DROP TABLE player_name;
