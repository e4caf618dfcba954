-- name: NoticesSince :one
SELECT COUNT(*) FROM notice WHERE player_id = $1 AND kind = $2 AND email_key = $3 AND sent_at > sqlc.arg(since);

-- name: LastNoticeAt :one
SELECT CAST(COALESCE(MAX(sent_at), 0) AS BIGINT) FROM notice WHERE player_id = $1;

-- name: InsertNotice :exec
INSERT INTO notice (token_hash, player_id, kind, email, email_key, confirmed, sent_at, expires_at, address_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: Notice :one
SELECT * FROM notice WHERE token_hash = $1 AND expires_at > sqlc.arg(now);

-- name: DropLaterNotices :exec
DELETE FROM notice WHERE player_id = $1 AND email_key <> $2 AND sent_at > sqlc.arg(after);

-- name: DropNotices :exec
DELETE FROM notice WHERE player_id = $1;

-- name: EmailReserved :one
-- How many other players can have an address restored by a link that was mailed to it.
SELECT COUNT(*) FROM notice WHERE email_key = $1 AND player_id <> $2 AND confirmed = 1 AND expires_at > sqlc.arg(now);

-- name: DeleteStaleNotices :exec
DELETE FROM notice WHERE expires_at < $1;

-- name: SeeBrowser :execrows
UPDATE known_browser SET seen_at = $1 WHERE player_id = $2 AND browser_hash = $3;

-- name: KeepBrowser :exec
INSERT INTO known_browser (player_id, browser_hash, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- name: DropOldBrowsers :exec
DELETE FROM known_browser WHERE known_browser.player_id = $1 AND known_browser.browser_hash IN (
    SELECT b.browser_hash FROM known_browser b WHERE b.player_id = $1 ORDER BY b.seen_at DESC, b.browser_hash LIMIT 1000 OFFSET CAST(sqlc.arg(kept) AS BIGINT));

-- name: DeleteStaleBrowsers :exec
DELETE FROM known_browser WHERE seen_at < $1;
