-- +goose Up
-- What happened to players' listings while they were away; see package notification.
CREATE TABLE notification (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    key        TEXT   NOT NULL,
    -- sold, expired, stopped or returned
    kind       TEXT   NOT NULL,
    listing_id TEXT   NOT NULL,
    contract   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    quantity   BIGINT NOT NULL,
    amount     TEXT   NOT NULL,
    tx_hash    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    is_read    BIGINT NOT NULL DEFAULT 0,
    -- 1 once it was emailed, or need not be.
    emailed    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, key)
);
CREATE INDEX notification_newest ON notification (player_id, created_at, key);
CREATE INDEX notification_unread ON notification (player_id) WHERE is_read = 0;
CREATE INDEX notification_age ON notification (created_at);

-- The choices of players who want emails.
CREATE TABLE notification_setting (
    player_id  TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    email      BIGINT NOT NULL,
    -- When the last email was sent; 0 for none.
    emailed_at BIGINT NOT NULL DEFAULT 0
);

-- For listings whose time is over.
CREATE INDEX listing_end ON listing (end_at) WHERE status = 'active';

-- +goose Down
DROP INDEX listing_end;
DROP TABLE notification_setting;
DROP TABLE notification;
