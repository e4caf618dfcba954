-- +goose Up
-- Times are milliseconds since 1970 UTC; 0 means never. Addresses are lower-case text. Amounts of tokens are decimal text.

-- A player as the portal knows one, whichever game platform keeps the account.
CREATE TABLE player (
    id                 TEXT PRIMARY KEY,
    display_name       TEXT   NOT NULL,
    email              TEXT   NOT NULL,
    created_at         BIGINT NOT NULL,
    -- Until when the player's sessions were all ended at once: what was proven before opens no session any more.
    sessions_ended_at  BIGINT NOT NULL DEFAULT 0,
    -- When the player confirmed the account's email address.
    email_confirmed_at BIGINT NOT NULL DEFAULT 0,
    -- When a link from a game last signed the player in. The game vouches for such a player.
    game_link_at       BIGINT NOT NULL DEFAULT 0,
    -- Since when the account is frozen, and why, in the words that the player reads; 0 and '' for an account that is not.
    frozen_at          BIGINT NOT NULL DEFAULT 0,
    frozen_reason      TEXT   NOT NULL DEFAULT '',
    -- When the player confirmed being 18 or older.
    adult_at           BIGINT NOT NULL DEFAULT 0,
    -- When the password was last changed.
    password_at        BIGINT NOT NULL DEFAULT 0,
    -- When the present email address replaced another one, or none; 0 for that of the registration.
    email_changed_at   BIGINT NOT NULL DEFAULT 0
);

-- The players' names in the form in which they are compared, whichever game platform keeps the accounts: a name is one
-- player's. A player without a row has a name that is another's already, as the game gives them.
CREATE TABLE player_name (
    name_key  TEXT PRIMARY KEY,
    player_id TEXT NOT NULL UNIQUE REFERENCES player (id) ON DELETE CASCADE
);

-- The built-in game platform's accounts.
CREATE TABLE local_account (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    email_key     TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
);

-- Accounts at others by which players of the built-in platform sign in, such as provider 'x' and the id there.
CREATE TABLE linked_account (
    provider    TEXT   NOT NULL,
    external_id TEXT   NOT NULL,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (provider, external_id)
);
CREATE UNIQUE INDEX linked_account_player ON linked_account (player_id, provider);

CREATE TABLE session (
    id          TEXT PRIMARY KEY,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    secret_hash TEXT   NOT NULL UNIQUE,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    revoked_at  BIGINT NOT NULL DEFAULT 0,
    -- When it was last seen, to some minutes, and the browser it was opened in, in words such as "Firefox on Linux".
    used_at     BIGINT NOT NULL DEFAULT 0,
    browser     TEXT   NOT NULL DEFAULT '',
    -- 1 if it was opened by an external login, such as X or the game's link; 0 for a password.
    external    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX session_player ON session (player_id);
CREATE INDEX session_expiry ON session (expires_at);
-- Sessions end once: when they are revoked, or by their time.
CREATE INDEX session_unended ON session (expires_at) WHERE revoked_at = 0;

-- Sign-ins under way at another site, by the hash of their state.
CREATE TABLE sign_in_attempt (
    state_hash   TEXT PRIMARY KEY,
    -- Hash of what the browser keeps that began it.
    binding_hash TEXT   NOT NULL,
    verifier     TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_expiry ON sign_in_attempt (expires_at);

-- One-time contexts that were used, by the hash of their jti, for as long as they would still be good.
CREATE TABLE used_context (
    id         TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_context_expiry ON used_context (expires_at);

-- What a player's link from a game said about where they come from: a JSON object of texts.
CREATE TABLE arrival (
    session_id TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    parameters TEXT   NOT NULL,
    at         BIGINT NOT NULL
);
CREATE INDEX arrival_player ON arrival (player_id);

-- The browsers from which players have signed in, by the hash of their id.
CREATE TABLE known_browser (
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    browser_hash TEXT   NOT NULL,
    seen_at      BIGINT NOT NULL,
    PRIMARY KEY (player_id, browser_hash)
);
CREATE INDEX known_browser_seen ON known_browser (seen_at);

-- Mailed links to the page for a new password, by the hash of their token.
CREATE TABLE recovery_link (
    token_hash TEXT PRIMARY KEY,
    -- NULL for an address without an account.
    player_id  TEXT REFERENCES player (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX recovery_link_player ON recovery_link (player_id);
CREATE INDEX recovery_link_expiry ON recovery_link (expires_at);

-- The mailed code that confirms an email address: one for each player, the newest.
CREATE TABLE email_code (
    player_id     TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    -- The address that the code was mailed to, and that it confirms.
    email         TEXT   NOT NULL,
    -- '' where the address was another account's: then no code confirms it.
    code_hash     TEXT   NOT NULL,
    attempts_left BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX email_code_expiry ON email_code (expires_at);

-- The links "This was not me" of the notices that were mailed; see package email.
CREATE TABLE notice (
    token_hash TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL,
    -- Where it was mailed, and the form in which addresses are compared.
    email      TEXT   NOT NULL,
    email_key  TEXT   NOT NULL,
    -- 1 if this was the account's confirmed address: then the link restores it.
    confirmed  BIGINT NOT NULL,
    -- Later than that of the player's earlier notices.
    sent_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- When the address became the account's (player.email_changed_at).
    address_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX notice_player ON notice (player_id, sent_at);
CREATE INDEX notice_email ON notice (email_key);
CREATE INDEX notice_expiry ON notice (expires_at);

-- What players approve beyond being signed in; see package approval.
CREATE TABLE act_approval (
    id            TEXT PRIMARY KEY,
    player_id     TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    -- The session that requested it, and with which it ends.
    session_id    TEXT   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    kind          TEXT   NOT NULL,
    digest        TEXT   NOT NULL,
    -- The act in words, one line each, for the emails.
    description   TEXT   NOT NULL,
    -- code, password, signature or sign-in
    way           TEXT   NOT NULL,
    -- Where the code was emailed; '' for none.
    address       TEXT   NOT NULL,
    code_hash     TEXT   NOT NULL,
    attempts_left BIGINT NOT NULL,
    -- How many codes were emailed.
    mails         BIGINT NOT NULL,
    -- The wallet whose signature confirms it; '' for none.
    wallet        TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    -- 0 until it is confirmed.
    confirmed_at  BIGINT NOT NULL,
    -- When it expires in its present state.
    expires_at    BIGINT NOT NULL,
    -- What it was used for, such as an account and its nonce; '' until it is used.
    used_for      TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX act_approval_digest ON act_approval (player_id, kind, digest);
CREATE INDEX act_approval_session ON act_approval (session_id, created_at);
CREATE INDEX act_approval_expiry ON act_approval (expires_at);

-- Accounts that are deleted later, with all that their players give up.
CREATE TABLE deletion_request (
    player_id    TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    requested_at BIGINT NOT NULL,
    -- When the account is deleted at the earliest.
    due_at       BIGINT NOT NULL,
    -- When the deletion is tried next.
    next_at      BIGINT NOT NULL,
    -- The token of the emailed link that cancels it; '' for none.
    cancel_hash  TEXT   NOT NULL
);
CREATE INDEX deletion_request_next ON deletion_request (next_at);
CREATE INDEX deletion_request_cancel ON deletion_request (cancel_hash) WHERE cancel_hash <> '';

-- Accounts that were deleted here, kept by their id alone until the game platform has deleted them too, and a while
-- longer: nobody comes back in under such an id.
CREATE TABLE deleted_player (
    player_id  TEXT PRIMARY KEY,
    -- pending or done
    state      TEXT   NOT NULL,
    attempts   BIGINT NOT NULL DEFAULT 0,
    deleted_at BIGINT NOT NULL,
    due_at     BIGINT NOT NULL
);
CREATE INDEX deleted_player_due ON deleted_player (due_at) WHERE state = 'pending';
