-- name: SignerKeyFingerprint :one
SELECT fingerprint FROM signer_key WHERE id = 1;

-- name: ReplaceSignerKeyFingerprint :execrows
UPDATE signer_key SET fingerprint = sqlc.arg(new), kept_at = sqlc.arg(kept_at) WHERE id = 1 AND fingerprint = sqlc.arg(old);

-- name: NameSeals :exec
-- Wallets of earlier releases, which had one key, do not say by which they are sealed.
UPDATE wallet SET sealed_by = $1 WHERE sealed_by = '';

-- name: RequireNamedSeals :exec
-- The releases before 24 neither say by which key a wallet is sealed, nor open it with a second one.
UPDATE schema_support SET oldest = 24 WHERE oldest < 24;

-- name: CountWalletsBySeal :many
SELECT sealed_by, COUNT(*) AS wallets FROM wallet GROUP BY sealed_by ORDER BY sealed_by;

-- name: WalletsSealedOtherwise :many
SELECT player_id, sealed_key, sealed_by FROM wallet WHERE player_id > sqlc.arg(after) AND sealed_by <> sqlc.arg(sealed_by)
ORDER BY player_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ResealWallet :execrows
-- Only with the key that seals: another rotation may have begun.
UPDATE wallet SET sealed_key = sqlc.arg(new), sealed_by = sqlc.arg(sealed_by), copy_due_at = sqlc.arg(at)
WHERE player_id = sqlc.arg(player_id) AND sealed_key = sqlc.arg(old)
  AND EXISTS (SELECT 1 FROM signer_key WHERE signer_key.id = 1 AND signer_key.fingerprint = sqlc.arg(sealed_by));

-- name: KeepSignerKeyFingerprint :exec
INSERT INTO signer_key (id, fingerprint, kept_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING;

-- name: OldestWallet :one
SELECT * FROM wallet ORDER BY created_at, player_id LIMIT 1;
