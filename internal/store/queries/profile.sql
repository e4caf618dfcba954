-- name: Whitelist :many
SELECT list, until_at FROM whitelist_entry
WHERE player_id = $1 AND (until_at = 0 OR until_at > sqlc.arg(now)) ORDER BY list;

-- name: PutWhitelistEntry :exec
INSERT INTO whitelist_entry (player_id, list, until_at) VALUES ($1, $2, $3)
ON CONFLICT (player_id, list) DO UPDATE SET until_at = excluded.until_at;

-- name: DropWhitelistEntry :execrows
DELETE FROM whitelist_entry WHERE player_id = $1 AND list = $2;
