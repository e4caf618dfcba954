-- name: SignerKeyFingerprint :one
SELECT fingerprint FROM signer_key WHERE id = 1;

-- name: ReplaceSignerKeyFingerprint :execrows
UPDATE signer_key SET fingerprint = sqlc.arg(new), kept_at = sqlc.arg(kept_at) WHERE id = 1 AND fingerprint = sqlc.arg(old);

-- name: CountWalletsBySeal :many
SELECT sealed_by, COUNT(*) AS wallets FROM wallet GROUP BY sealed_by ORDER BY sealed_by;

-- name: WalletsSealedOtherwise :many
SELECT player_id, sealed_key, sealed_by FROM wallet WHERE player_id > sqlc.arg(after) AND sealed_by <> sqlc.arg(sealed_by)
ORDER BY player_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ResealWallet :execrows
UPDATE wallet SET sealed_key = sqlc.arg(new), sealed_by = sqlc.arg(sealed_by) WHERE player_id = sqlc.arg(player_id) AND sealed_key = sqlc.arg(old);

-- name: KeepSignerKeyFingerprint :exec
INSERT INTO signer_key (id, fingerprint, kept_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING;

-- name: OldestWallet :one
SELECT * FROM wallet ORDER BY created_at, player_id LIMIT 1;
