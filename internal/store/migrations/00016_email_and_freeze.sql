-- +goose Up
-- Confirmed email addresses, and accounts that an operator has frozen.

-- When a link from a game last signed the player in; 0 for never. The game vouches for such a player.
ALTER TABLE player ADD COLUMN game_link_at BIGINT NOT NULL DEFAULT 0;

-- Since when the account is frozen, and why, in the words that the player reads; 0 and '' for an account that is not.
ALTER TABLE player ADD COLUMN frozen_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN frozen_reason TEXT NOT NULL DEFAULT '';

-- The mailed code that confirms an email address: one for each player, the newest.
CREATE TABLE email_code (
    player_id  TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    -- The address that the code was mailed to, and that it confirms.
    email      TEXT   NOT NULL,
    -- '' where the address was another account's: then no code confirms it.
    code_hash  TEXT   NOT NULL,
    tries_left BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX email_code_expiry ON email_code (expires_at);

-- +goose Down
DROP TABLE email_code;
ALTER TABLE player DROP COLUMN frozen_reason;
ALTER TABLE player DROP COLUMN frozen_at;
ALTER TABLE player DROP COLUMN game_link_at;
