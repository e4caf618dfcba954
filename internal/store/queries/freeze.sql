-- name: FreezePlayer :execrows
UPDATE player SET frozen_at = sqlc.arg(at), frozen_reason = sqlc.arg(reason) WHERE id = sqlc.arg(player_id);

-- name: Thaw :execrows
-- Lifts a freeze by the player's own link, which has no reason, unless it is newer than a time.
UPDATE player SET frozen_at = 0 WHERE id = $1 AND frozen_reason = '' AND frozen_at > 0 AND frozen_at <= sqlc.arg(since);

-- name: FrozenPlayer :one
SELECT frozen_at, frozen_reason FROM player WHERE id = $1;

-- name: FrozenPlayers :many
SELECT id, display_name, email, frozen_at, frozen_reason FROM player WHERE frozen_at > 0 ORDER BY frozen_at, id;

-- name: FindPlayers :many
-- By id, email or name, as an operator writes them. Each by its own index.
SELECT p.id, p.display_name, p.email FROM player p WHERE p.id = sqlc.arg(written)
UNION SELECT d.id, d.display_name, d.email FROM player d WHERE d.display_name = sqlc.arg(written)
UNION SELECT e.id, e.display_name, e.email FROM player e WHERE e.email <> '' AND LOWER(e.email) = sqlc.arg(email_key)
UNION SELECT l.id, l.display_name, l.email FROM local_account a JOIN player l ON l.id = a.player_id WHERE a.email_key = sqlc.arg(email_key)
UNION SELECT m.id, m.display_name, m.email FROM player_name n JOIN player m ON m.id = n.player_id WHERE n.name_key = sqlc.arg(name_key)
ORDER BY 1;
