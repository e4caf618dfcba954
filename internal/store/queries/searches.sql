-- name: SavedSearches :many
SELECT * FROM saved_search WHERE player_id = $1 ORDER BY created_at DESC, id DESC;

-- name: LockPlayer :exec
-- Lets one transaction at a time add to what a player keeps.
UPDATE player SET created_at = created_at WHERE id = $1;

-- name: CountSavedSearches :one
SELECT COUNT(*) FROM saved_search WHERE player_id = $1;

-- name: InsertSavedSearch :exec
INSERT INTO saved_search (id, player_id, name, filters, bucket, alerts, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: ChangeSavedSearch :execrows
UPDATE saved_search SET name = sqlc.arg(name), alerts = sqlc.arg(alerts) WHERE id = $1 AND player_id = $2;

-- name: DeleteSavedSearch :execrows
DELETE FROM saved_search WHERE id = $1 AND player_id = $2;

-- name: NoteListingChange :exec
INSERT INTO listing_change (listing_id, was_live, was_price, due_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (listing_id) DO UPDATE SET version = listing_change.version + 1, due_at = excluded.due_at;

-- name: DueListingChanges :many
SELECT sqlc.embed(c), sqlc.embed(l) FROM listing_change c JOIN listing l ON l.id = c.listing_id
WHERE c.due_at <= sqlc.arg(now) ORDER BY c.due_at, c.listing_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: SettleListingChange :exec
DELETE FROM listing_change WHERE listing_id = $1 AND version = $2;

-- name: AlertingSearches :many
-- The searches of a bucket that alert, with the wallet of their player, '' for none.
SELECT s.id, s.filters, s.created_at, CAST(COALESCE(w.smart_address, '') AS TEXT) AS wallet
FROM saved_search s LEFT JOIN wallet w ON w.player_id = s.player_id
WHERE s.bucket = $1 AND s.alerts = 1 AND s.id > sqlc.arg(after) ORDER BY s.id LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: PutSearchAlert :exec
-- One alert of a listing in an hour, however often its price crosses the limit.
INSERT INTO search_alert (search_id, listing_id, at)
SELECT s.id, CAST(sqlc.arg(listing_id) AS TEXT), CAST(sqlc.arg(now) AS BIGINT) FROM saved_search s WHERE s.id = sqlc.arg(search_id) AND s.alerts = 1
ON CONFLICT (search_id, listing_id) DO UPDATE SET at = excluded.at, sent = 0 WHERE search_alert.sent = 1 AND search_alert.at <= sqlc.arg(again);

-- name: SearchesToAlert :many
-- Searches with unsent alerts that have not alerted their player since a time.
SELECT s.* FROM saved_search s
WHERE s.alerts = 1 AND s.id IN (SELECT a.search_id FROM search_alert a WHERE a.sent = 0) AND s.alerted_at <= sqlc.arg(last)
ORDER BY s.alerted_at, s.id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: UnsentAlerts :many
-- The listings of a search's unsent alerts, the cheapest first.
SELECT l.* FROM search_alert a JOIN listing l ON l.id = a.listing_id
WHERE a.search_id = $1 AND a.sent = 0 ORDER BY l.price_rank, l.id;

-- name: DropAlert :exec
DELETE FROM search_alert WHERE search_id = $1 AND listing_id = $2 AND sent = 0;

-- name: DropAlerts :exec
DELETE FROM search_alert WHERE search_id = $1 AND sent = 0;

-- name: SettleToldAlerts :exec
-- Those of a search about listings of which another search of the player has alerted since they were recorded.
UPDATE search_alert SET sent = 1 WHERE search_alert.search_id = sqlc.arg(search_id) AND search_alert.sent = 0 AND EXISTS (
    SELECT 1 FROM saved_search s JOIN search_alert o ON o.search_id = s.id AND o.listing_id = search_alert.listing_id
    WHERE s.player_id = sqlc.arg(player_id) AND s.id <> sqlc.arg(search_id) AND o.sent = 1 AND o.at >= search_alert.at);

-- name: MarkAlertsSent :exec
UPDATE search_alert SET sent = 1, at = sqlc.arg(now) WHERE search_id = $1 AND sent = 0;

-- name: MarkSearchAlerted :execrows
UPDATE saved_search SET alerted_at = sqlc.arg(now) WHERE id = $1 AND alerts = 1 AND alerted_at <= sqlc.arg(last);

-- name: ForgetAlerts :exec
DELETE FROM search_alert WHERE at < sqlc.arg(before);

-- name: WatchToken :exec
INSERT INTO watched_token (player_id, contract, token_id, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (player_id, contract, token_id) DO NOTHING;

-- name: UnwatchToken :exec
DELETE FROM watched_token WHERE player_id = $1 AND contract = $2 AND token_id = $3;

-- name: CountWatchedTokens :one
SELECT COUNT(*) FROM watched_token WHERE player_id = $1;

-- name: WatchedTokens :many
-- With the id of the cheapest live listing of each, '' for none.
SELECT w.created_at, sqlc.embed(t), CAST(COALESCE((
    SELECT l.id FROM listing l
    WHERE l.contract = w.contract AND l.token_id = w.token_id AND l.browsable = 1 AND l.start_at + 0 <= sqlc.arg(begun) AND l.end_at + 0 > sqlc.arg(now)
    ORDER BY l.price_rank, l.id LIMIT 1), '') AS TEXT) AS cheapest
FROM watched_token w JOIN token t ON t.contract = w.contract AND t.token_id = w.token_id
WHERE w.player_id = $1 ORDER BY w.created_at DESC, w.contract, w.token_id;
