-- name: UncopiedWallets :many
SELECT sqlc.embed(w), p.display_name, p.email, p.email_confirmed_at, p.created_at AS registered_at,
       CAST(COALESCE((SELECT a.email_key FROM local_account a WHERE a.player_id = p.id), '') AS TEXT) AS email_key
FROM wallet w JOIN player p ON p.id = w.player_id
WHERE w.copy_due_at > 0 AND (w.copy_due_at, w.player_id) > (CAST(sqlc.arg(after_at) AS BIGINT), CAST(sqlc.arg(after_player) AS TEXT))
ORDER BY w.copy_due_at, w.player_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: WalletToCopy :one
SELECT sqlc.embed(w), p.display_name, p.email, p.email_confirmed_at, p.created_at AS registered_at,
       CAST(COALESCE((SELECT a.email_key FROM local_account a WHERE a.player_id = p.id), '') AS TEXT) AS email_key
FROM wallet w JOIN player p ON p.id = w.player_id WHERE w.player_id = $1;

-- name: LinkedAccounts :many
SELECT provider, external_id FROM linked_account WHERE player_id = $1 ORDER BY provider;

-- name: MarkWalletCopied :execrows
-- Unless the wallet, or what is copied of the account, has changed meanwhile.
UPDATE wallet SET copy_due_at = 0 WHERE wallet.player_id = sqlc.arg(player_id) AND wallet.sealed_key = sqlc.arg(sealed_key)
  AND EXISTS (SELECT 1 FROM player p WHERE p.id = wallet.player_id AND p.email = sqlc.arg(email)
    AND p.email_confirmed_at = sqlc.arg(email_confirmed_at));

-- name: CopyWalletAgain :exec
UPDATE wallet SET copy_due_at = sqlc.arg(at) WHERE player_id = sqlc.arg(player_id) AND copy_due_at = 0;

-- name: CopyAllWallets :execrows
UPDATE wallet SET copy_due_at = sqlc.arg(at) WHERE copy_due_at = 0;

-- name: OldestDueCopy :one
SELECT copy_due_at FROM wallet WHERE copy_due_at > 0 ORDER BY copy_due_at LIMIT 1;

-- name: CopiedWallet :one
SELECT player_id FROM wallet WHERE copy_due_at = 0 ORDER BY created_at DESC LIMIT 1;

-- name: UnrecordedDeletions :many
SELECT player_id, deleted_at FROM deleted_player WHERE recorded_at = 0 ORDER BY deleted_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: MarkDeletionRecorded :exec
UPDATE deleted_player SET recorded_at = sqlc.arg(at) WHERE player_id = sqlc.arg(player_id);

-- name: RestoreWallet :execrows
INSERT INTO wallet (player_id, owner_address, sealed_key, sealed_by, smart_address, created_at, stored_at, copy_due_at)
VALUES ($1, $2, $3, $4, $5, $6, sqlc.arg(at), sqlc.arg(at)) ON CONFLICT DO NOTHING;

-- name: WaitForEmail :exec
-- The address of a restored account proves nothing for a while, as one that was changed.
UPDATE player SET email_changed_at = sqlc.arg(at) WHERE id = sqlc.arg(player_id);
