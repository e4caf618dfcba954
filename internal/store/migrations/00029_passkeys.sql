-- +goose Up
-- Players' passkeys; see package passkey.
CREATE TABLE passkey (
    -- The credential's id, base64url.
    id         TEXT   PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    -- The public key and what else verification needs, JSON.
    credential TEXT   NOT NULL,
    -- The authenticator's counter; 0 if it does not count.
    signatures BIGINT NOT NULL,
    synced     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX passkey_player ON passkey (player_id, created_at);

-- Challenges that were answered and have not expired.
CREATE TABLE passkey_answer (
    hash       TEXT   PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_answer_expires ON passkey_answer (expires_at);
