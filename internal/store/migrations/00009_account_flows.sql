-- +goose Up
-- What a player does with an account after it is made: look at the sessions, change or recover the password, delete it.

-- When the session was last seen, to some minutes, and the browser it was opened in, in words such as "Firefox on Linux".
ALTER TABLE session ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN browser TEXT NOT NULL DEFAULT '';
CREATE INDEX session_expiry ON session (expires_at);

-- Until when the player's sessions were all ended at once: what was proven before opens no session any more.
ALTER TABLE player ADD COLUMN sessions_ended_at BIGINT NOT NULL DEFAULT 0;

-- Letters the portal owes, written in the transaction of their cause.
CREATE TABLE mail (
    -- UUIDv7: in the order in which they were written.
    id         TEXT PRIMARY KEY,
    -- Whose account it is about, so that it goes with the account; '' for none.
    player_id  TEXT   NOT NULL,
    -- Recipient, reply address and body go once the letter is sent or given up: a body may hold a link or a code.
    recipient  TEXT   NOT NULL,
    -- Whom an answer goes to; '' for the sender.
    reply_to   TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    -- pending, sent or failed; void: for nobody, written so that an unknown address takes as long as a known one
    state      TEXT   NOT NULL,
    tries      BIGINT NOT NULL DEFAULT 0,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    -- When it is tried next, and from when on it is of no use.
    due_at     BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX mail_due ON mail (due_at, id) WHERE state = 'pending';
CREATE INDEX mail_player ON mail (player_id) WHERE player_id <> '';

-- Mailed links to the page for a new password, by the hash of their token.
CREATE TABLE recovery_link (
    token_hash TEXT PRIMARY KEY,
    -- NULL for an address without an account.
    player_id  TEXT REFERENCES player (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX recovery_link_player ON recovery_link (player_id);
CREATE INDEX recovery_link_expiry ON recovery_link (expires_at);

-- The mailed code that proves a player means to delete the account: one at a time.
CREATE TABLE deletion_code (
    player_id  TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    code_hash  TEXT   NOT NULL,
    tries_left BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Accounts that were deleted here, kept by their id alone until the game platform has deleted them too, and a while
-- longer: nobody comes back in under such an id.
CREATE TABLE deleted_player (
    player_id  TEXT PRIMARY KEY,
    -- pending or done
    state      TEXT   NOT NULL,
    tries      BIGINT NOT NULL DEFAULT 0,
    deleted_at BIGINT NOT NULL,
    due_at     BIGINT NOT NULL
);
CREATE INDEX deleted_player_due ON deleted_player (due_at) WHERE state = 'pending';

-- +goose Down
DROP TABLE deleted_player;
DROP TABLE deletion_code;
DROP TABLE recovery_link;
DROP TABLE mail;
ALTER TABLE player DROP COLUMN sessions_ended_at;
DROP INDEX session_expiry;
ALTER TABLE session DROP COLUMN browser;
ALTER TABLE session DROP COLUMN used_at;
