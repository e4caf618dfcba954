-- +goose Up
-- What happened to players' listings while they were away, and alerts of their saved searches; see package notification.
CREATE TABLE notification (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    key        TEXT   NOT NULL,
    -- sold, expired, stopped, returned or alert
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
    -- The saved search of an alert; '' for other notifications.
    search_id  TEXT   NOT NULL DEFAULT '',
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
CREATE INDEX notification_setting_email ON notification_setting (emailed_at, player_id) WHERE email = 1;
