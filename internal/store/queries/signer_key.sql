-- name: SignerKeyFingerprint :one
SELECT fingerprint FROM signer_key WHERE id = 1;

-- name: KeepSignerKeyFingerprint :exec
INSERT INTO signer_key (id, fingerprint, kept_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING;

-- name: OldestWallet :one
SELECT * FROM wallet ORDER BY created_at, player_id LIMIT 1;
