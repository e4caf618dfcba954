-- +goose Up
-- Operators who sign in to the console; see package operator. One who was removed stays: the security log names them.
CREATE TABLE operator (
    id         TEXT   PRIMARY KEY,
    -- Unique, as compared: the log and --as name operators by it.
    name       TEXT   NOT NULL,
    name_key   TEXT   NOT NULL UNIQUE,
    role       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    removed_at BIGINT NOT NULL DEFAULT 0
);

-- The link by which an operator adds the first passkey, by the SHA-256 of its token. It is deleted when it was used.
CREATE TABLE operator_invitation (
    operator_id TEXT   PRIMARY KEY REFERENCES operator (id) ON DELETE CASCADE,
    hash        TEXT   NOT NULL UNIQUE,
    expires_at  BIGINT NOT NULL
);

-- Operators' passkeys, as players' in passkey.
CREATE TABLE operator_passkey (
    id          TEXT   PRIMARY KEY,
    operator_id TEXT   NOT NULL REFERENCES operator (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    credential  TEXT   NOT NULL,
    signatures  BIGINT NOT NULL,
    synced      BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    used_at     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX operator_passkey_operator ON operator_passkey (operator_id, created_at);

-- Sessions at the console, by the SHA-256 of their cookie.
CREATE TABLE operator_session (
    id           TEXT   PRIMARY KEY,
    hash         TEXT   NOT NULL UNIQUE,
    operator_id  TEXT   NOT NULL REFERENCES operator (id) ON DELETE CASCADE,
    opened_at    BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    -- When a passkey last confirmed who it is.
    confirmed_at BIGINT NOT NULL
);
CREATE INDEX operator_session_operator ON operator_session (operator_id);

-- What the console lists, and by what it finds players.
CREATE INDEX player_email ON player (LOWER(email)) WHERE email <> '';
CREATE INDEX player_display_name ON player (display_name);
CREATE INDEX player_frozen ON player (frozen_at, id) WHERE frozen_at > 0;
