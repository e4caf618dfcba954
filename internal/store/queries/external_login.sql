-- name: SaveChallenge :exec
INSERT INTO wallet_challenge (player_id, nonce, address, chain_id, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (player_id) DO UPDATE SET nonce = excluded.nonce, address = excluded.address, chain_id = excluded.chain_id,
  issued_at = excluded.issued_at, expires_at = excluded.expires_at;

-- name: Challenge :one
SELECT * FROM wallet_challenge WHERE player_id = $1;

-- name: UseChallenge :execrows
DELETE FROM wallet_challenge WHERE player_id = $1 AND nonce = $2;

-- name: VerifiedWallet :one
SELECT * FROM verified_wallet WHERE player_id = $1;

-- name: VerifiedWalletHolder :one
SELECT player_id FROM verified_wallet WHERE address = $1;

-- name: InsertVerifiedWallet :execrows
INSERT INTO verified_wallet (player_id, address, chain_id, verified_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: DeleteVerifiedWallet :execrows
DELETE FROM verified_wallet WHERE player_id = $1;

-- name: IsPlayersPair :one
SELECT COUNT(*) FROM wallet WHERE smart_address = $1 OR owner_address = $1;

-- name: HoldersOf :many
SELECT w.player_id FROM wallet w WHERE w.smart_address = $1
UNION SELECT v.player_id FROM verified_wallet v WHERE v.address = $1;

-- name: LinkedPlayer :one
SELECT p.id, p.display_name, p.email, p.email_confirmed_at FROM linked_account l JOIN player p ON p.id = l.player_id
WHERE l.provider = $1 AND l.external_id = $2;

-- name: InsertLinkedAccount :exec
INSERT INTO linked_account (provider, external_id, player_id, created_at) VALUES ($1, $2, $3, $4);

-- name: InsertSignInAttempt :exec
INSERT INTO sign_in_attempt (state_hash, binding_hash, verifier, expires_at) VALUES ($1, $2, $3, $4);

-- name: TakeSignInAttempt :one
DELETE FROM sign_in_attempt WHERE state_hash = $1 AND binding_hash = $2 AND expires_at > sqlc.arg(now) RETURNING verifier;

-- name: DeleteStaleSignInAttempts :exec
DELETE FROM sign_in_attempt WHERE expires_at <= $1;

-- name: UseContext :execrows
INSERT INTO used_context (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING;

-- name: DeleteStaleContexts :exec
DELETE FROM used_context WHERE expires_at <= $1;

-- name: InsertArrival :exec
INSERT INTO arrival (session_id, player_id, parameters, at) VALUES ($1, $2, $3, $4);

-- name: DropOldArrivals :exec
DELETE FROM arrival WHERE arrival.player_id = $1 AND arrival.session_id IN (
    SELECT a.session_id FROM arrival a WHERE a.player_id = $1 ORDER BY a.at DESC, a.session_id LIMIT 1000 OFFSET 19);

-- name: Arrivals :many
SELECT * FROM arrival ORDER BY at, session_id;
