-- name: SaveEmailCode :exec
INSERT INTO email_code (player_id, email, code_hash, attempts_left, expires_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (player_id) DO UPDATE SET email = excluded.email, code_hash = excluded.code_hash, attempts_left = excluded.attempts_left, expires_at = excluded.expires_at;

-- name: TryEmailCode :one
UPDATE email_code SET attempts_left = attempts_left - 1 WHERE player_id = $1 AND attempts_left > 0 AND expires_at > sqlc.arg(now)
RETURNING email, code_hash;

-- name: DeleteEmailCode :exec
DELETE FROM email_code WHERE player_id = $1;

-- name: DeleteStaleEmailCodes :exec
DELETE FROM email_code WHERE expires_at < $1;

-- name: SetEmail :execrows
UPDATE player SET email = $1, email_confirmed_at = sqlc.arg(at), email_changed_at = sqlc.arg(at) WHERE id = sqlc.arg(player_id);

-- name: SetEmailKey :execrows
UPDATE local_account SET email_key = $1 WHERE player_id = $2;

-- name: ConfirmOwnEmail :execrows
UPDATE player SET email_confirmed_at = sqlc.arg(at) WHERE id = sqlc.arg(player_id) AND email_confirmed_at = 0 AND email <> '';

-- name: EmailChangedAt :one
SELECT email_changed_at FROM player WHERE id = $1;

-- name: NoteGameLink :exec
UPDATE player SET game_link_at = sqlc.arg(at) WHERE id = sqlc.arg(player_id);

-- name: PlayerProofs :one
-- What shows that a player can be reached; see account.Proofs. Accounts without a row in local_account are the game platform's.
SELECT CAST(CASE WHEN p.email_confirmed_at > 0 THEN 1 ELSE 0 END AS BIGINT) AS email,
       CAST(CASE WHEN p.game_link_at > 0 THEN 1 ELSE 0 END AS BIGINT) AS game_link,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM local_account a WHERE a.player_id = p.id) THEN 0 ELSE 1 END AS BIGINT) AS game_platform,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM linked_account l WHERE l.player_id = p.id) THEN 1 ELSE 0 END AS BIGINT) AS linked
FROM player p WHERE p.id = $1;
