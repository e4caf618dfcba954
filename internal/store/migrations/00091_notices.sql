-- +goose Up
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
    expires_at BIGINT NOT NULL
);
CREATE INDEX notice_player ON notice (player_id, sent_at);
CREATE INDEX notice_email ON notice (email_key);
CREATE INDEX notice_expiry ON notice (expires_at);

-- +goose Down
DROP TABLE notice;
