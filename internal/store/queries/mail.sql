-- name: InsertMail :exec
INSERT INTO mail (id, player_id, recipient, reply_to, subject, body, state, created_at, due_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, sqlc.arg(at), sqlc.arg(at), $8);

-- name: DueMails :many
SELECT * FROM mail WHERE state = 'pending' AND due_at <= sqlc.arg(now) ORDER BY due_at, id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ClaimMail :execrows
UPDATE mail SET attempts = attempts + 1, due_at = sqlc.arg(retry_at) WHERE id = $1 AND state = 'pending' AND attempts = $2;

-- name: SettleMail :exec
UPDATE mail SET state = $1, recipient = '', reply_to = '', body = '', error = $2 WHERE id = $3 AND state = 'pending';

-- name: NoteMailError :exec
UPDATE mail SET error = $1, due_at = $2 WHERE id = $3 AND state = 'pending';

-- name: KeptMails :many
SELECT * FROM mail WHERE state <> 'void' ORDER BY id DESC LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: CountOldMails :one
SELECT COUNT(*) FROM mail WHERE created_at < sqlc.arg(before) OR (state = 'void' AND created_at < sqlc.arg(void_before));

-- name: DeleteOldMails :exec
DELETE FROM mail WHERE created_at < sqlc.arg(before) OR (state = 'void' AND created_at < sqlc.arg(void_before));

-- name: DeletePlayerMails :exec
DELETE FROM mail WHERE player_id = $1;
