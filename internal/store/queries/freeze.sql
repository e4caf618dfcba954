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
-- By id, email or name, as an operator writes them.
SELECT p.id, p.display_name, p.email FROM player p WHERE p.id IN (
  SELECT i.id FROM player i WHERE i.id = sqlc.arg(written) UNION SELECT d.id FROM player d WHERE d.display_name = sqlc.arg(written)
  UNION SELECT e.id FROM player e WHERE e.email <> '' AND LOWER(e.email) = sqlc.arg(email_key)
  UNION SELECT a.player_id FROM local_account a WHERE a.email_key = sqlc.arg(email_key)
  UNION SELECT n.player_id FROM player_name n WHERE n.name_key = sqlc.arg(name_key)
) ORDER BY p.id;
