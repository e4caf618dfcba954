-- +goose Up
-- Filters of the market that players keep, and those that alert them; see package market.
CREATE TABLE saved_search (
    id         TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    -- The filters, as JSON.
    filters    TEXT   NOT NULL,
    -- The most selective filter that a listing can be looked up by: "token contract id", "collection slug" or "all".
    bucket     TEXT   NOT NULL,
    -- 1 if the player is alerted of listings that begin to match.
    alerts     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When the player was last alerted; 0 for never.
    alerted_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX saved_search_player ON saved_search (player_id, created_at, id);
CREATE INDEX saved_search_bucket ON saved_search (bucket, id) WHERE alerts = 1;

-- Listings whose price or availability changed and that have yet to be compared with the saved searches.
CREATE TABLE listing_change (
    listing_id TEXT PRIMARY KEY REFERENCES listing (id) ON DELETE CASCADE,
    -- What it was before the first change.
    was_live   BIGINT NOT NULL,
    was_price  BIGINT NOT NULL,
    -- When it begins to be for sale, or changed.
    due_at     BIGINT NOT NULL,
    -- Increases with each further change.
    version    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX listing_change_due ON listing_change (due_at, listing_id);

-- Listings that began to match a saved search: to be sent, or sent within the last hour. Those of deleted searches are
-- forgotten like all others.
CREATE TABLE search_alert (
    search_id  TEXT   NOT NULL,
    -- It may be taken back by a reorganisation, and come again.
    listing_id TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    sent       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (search_id, listing_id)
);
CREATE INDEX search_alert_unsent ON search_alert (search_id) WHERE sent = 0;
CREATE INDEX search_alert_age ON search_alert (at);

-- The tokens that players watch.
CREATE TABLE watched_token (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    contract   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, contract, token_id)
);

-- The saved search of an alert; '' for other notifications.
ALTER TABLE notification ADD COLUMN search_id TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE notification DROP COLUMN search_id;
DROP TABLE watched_token;
DROP TABLE search_alert;
DROP TABLE listing_change;
DROP TABLE saved_search;
