-- name: PasskeysOf :many
SELECT * FROM passkey WHERE player_id = $1 ORDER BY created_at, id;

-- name: PasskeyByID :one
SELECT * FROM passkey WHERE id = $1;

-- name: CountPasskeys :one
SELECT COUNT(*) FROM passkey WHERE player_id = $1;

-- name: InsertPasskey :execrows
INSERT INTO passkey (id, player_id, name, credential, signatures, synced, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (id) DO NOTHING;

-- name: RenamePasskey :execrows
UPDATE passkey SET name = $1 WHERE id = $2 AND player_id = $3;

-- name: DeletePasskey :execrows
DELETE FROM passkey WHERE id = $1 AND player_id = $2;

-- name: DeletePasskeys :many
DELETE FROM passkey WHERE player_id = $1 RETURNING *;

-- name: UsePasskey :execrows
UPDATE passkey SET credential = $1, signatures = $2, synced = $3, used_at = $4
WHERE id = $5 AND player_id = $6 AND signatures = sqlc.arg(was);

-- name: InsertPasskeyAnswer :execrows
INSERT INTO passkey_answer (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING;

-- name: CountPasskeyAnswers :one
SELECT COUNT(*) FROM passkey_answer WHERE expires_at <= $1;

-- name: DeletePasskeyAnswers :exec
DELETE FROM passkey_answer WHERE expires_at <= $1;
