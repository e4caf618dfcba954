-- +goose Up
-- The browsers from which players have signed in, by the hash of their id.
CREATE TABLE known_browser (
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    browser_hash TEXT   NOT NULL,
    seen_at      BIGINT NOT NULL,
    PRIMARY KEY (player_id, browser_hash)
);
CREATE INDEX known_browser_seen ON known_browser (seen_at);

-- +goose Down
DROP TABLE known_browser;
