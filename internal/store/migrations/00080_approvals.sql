-- +goose Up
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

-- +goose Down
DROP TABLE act_approval;
