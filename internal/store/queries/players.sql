-- name: InsertPlayer :exec
INSERT INTO player (id, display_name, email, created_at) VALUES ($1, $2, $3, $4);

-- name: SavePlayer :exec
-- The built-in platform's stored values take precedence: a name read before it was changed must not overwrite the new
-- one.
INSERT INTO player (id, display_name, email, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name, email = excluded.email
WHERE (player.display_name <> excluded.display_name OR player.email <> excluded.email)
  AND NOT EXISTS (SELECT 1 FROM local_account a WHERE a.player_id = player.id);

-- name: AccountTaken :one
-- An address is taken also while another player's link can restore it.
SELECT CAST((SELECT COUNT(*) FROM local_account a WHERE a.email_key = $1) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM notice r WHERE r.email_key = $1 AND r.confirmed = 1 AND r.expires_at > sqlc.arg(now)) AS BIGINT) AS email_taken,
       CAST((SELECT COUNT(*) FROM player_name n WHERE n.name_key = $2) AS BIGINT) AS name_taken;

-- name: Player :one
SELECT * FROM player WHERE id = $1;

-- name: InsertLocalAccount :exec
INSERT INTO local_account (player_id, email_key, password_hash) VALUES ($1, $2, $3);

-- name: LocalAccountByEmail :one
SELECT a.player_id, a.password_hash, p.display_name, p.email, p.email_confirmed_at
FROM local_account a JOIN player p ON p.id = a.player_id
WHERE a.email_key = $1;

-- name: Currencies :many
SELECT code, amount FROM currency_balance WHERE player_id = $1 ORDER BY code;

-- name: CreditCurrency :exec
INSERT INTO currency_balance (player_id, code, amount) VALUES ($1, $2, $3)
ON CONFLICT (player_id, code) DO UPDATE SET amount = currency_balance.amount + excluded.amount;

-- name: InsertSession :exec
INSERT INTO session (id, player_id, secret_hash, created_at, expires_at, used_at, browser, external)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: Session :one
SELECT sqlc.embed(s), p.frozen_at, p.frozen_reason FROM session s JOIN player p ON p.id = s.player_id WHERE s.id = $1;

-- name: SessionBySecret :one
SELECT sqlc.embed(s), p.frozen_at, p.frozen_reason FROM session s JOIN player p ON p.id = s.player_id WHERE s.secret_hash = $1;

-- name: RevokeSession :execrows
UPDATE session SET revoked_at = $1 WHERE id = $2 AND revoked_at = 0;

-- name: DeleteStaleSessions :execrows
DELETE FROM session WHERE expires_at < $1;

-- name: InsertWallet :execrows
INSERT INTO wallet (player_id, owner_address, sealed_key, sealed_by, smart_address, created_at, copy_due_at)
VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (player_id) DO NOTHING;

-- name: Wallet :one
SELECT * FROM wallet WHERE player_id = $1;

-- name: MarkWalletStored :execrows
UPDATE wallet SET stored_at = $1 WHERE player_id = $2 AND stored_at = 0;

-- name: ConfirmPlayerEmail :exec
UPDATE player SET email_confirmed_at = sqlc.arg(at) WHERE id = $1;
