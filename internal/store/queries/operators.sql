-- name: Operators :many
-- Those who were not removed, with their newest session that is open.
SELECT sqlc.embed(o),
  CAST((SELECT COUNT(*) FROM operator_passkey k WHERE k.operator_id = o.id) AS BIGINT) AS passkeys,
  CAST(COALESCE((SELECT i.expires_at FROM operator_invitation i WHERE i.operator_id = o.id), 0) AS BIGINT) AS invited_until,
  CAST(COALESCE((SELECT MAX(s.seen_at) FROM operator_session s
    WHERE s.operator_id = o.id AND s.opened_at > sqlc.arg(opened) AND s.seen_at > sqlc.arg(seen)), 0) AS BIGINT) AS seen_at
FROM operator o WHERE o.removed_at = 0 ORDER BY o.name_key;

-- name: OperatorByID :one
SELECT * FROM operator WHERE id = $1 AND removed_at = 0;

-- name: OperatorByName :one
-- Also one who was removed.
SELECT * FROM operator WHERE name_key = $1;

-- name: HasOperators :one
SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT 1 FROM operator WHERE removed_at = 0 LIMIT 1) AS o;

-- name: LockOperator :execrows
-- Changes nothing: whoever changes the operator, or what the operator has, waits until the transaction ends.
UPDATE operator SET role = role WHERE id = $1 AND removed_at = 0;

-- name: LockOperatorNamed :exec
UPDATE operator SET role = role WHERE name_key = $1;

-- name: InsertOperator :execrows
INSERT INTO operator (id, name, name_key, role, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name_key) DO NOTHING;

-- name: SetOperatorRole :execrows
UPDATE operator SET role = $1 WHERE id = $2 AND removed_at = 0;

-- name: RemoveOperator :execrows
UPDATE operator SET removed_at = sqlc.arg(at) WHERE id = sqlc.arg(id) AND removed_at = 0;

-- name: PutOperatorInvitation :exec
INSERT INTO operator_invitation (operator_id, hash, expires_at) VALUES ($1, $2, $3)
ON CONFLICT (operator_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at;

-- name: OperatorInvitation :one
SELECT operator_id FROM operator_invitation WHERE hash = $1 AND expires_at > sqlc.arg(now);

-- name: UseOperatorInvitation :execrows
DELETE FROM operator_invitation WHERE operator_id = $1 AND hash = $2 AND expires_at > sqlc.arg(now);

-- name: DeleteOperatorInvitation :exec
DELETE FROM operator_invitation WHERE operator_id = $1;

-- name: DropOperatorInvitations :exec
DELETE FROM operator_invitation WHERE expires_at <= sqlc.arg(now);

-- name: InsertOperatorSession :execrows
INSERT INTO operator_session (id, hash, operator_id, opened_at, seen_at, confirmed_at)
SELECT CAST(sqlc.arg(id) AS TEXT), CAST(sqlc.arg(hash) AS TEXT), o.id, CAST(sqlc.arg(at) AS BIGINT), CAST(sqlc.arg(at) AS BIGINT),
  CAST(sqlc.arg(at) AS BIGINT)
FROM operator o JOIN operator_passkey k ON k.operator_id = o.id AND k.id = sqlc.arg(passkey_id)
WHERE o.id = sqlc.arg(operator_id) AND o.removed_at = 0;

-- name: OperatorSession :one
SELECT sqlc.embed(s), sqlc.embed(o) FROM operator_session s JOIN operator o ON o.id = s.operator_id WHERE s.hash = $1 AND o.removed_at = 0;

-- name: HasOperatorSession :one
SELECT CAST(COUNT(*) AS BIGINT) FROM operator_session WHERE id = $1 AND operator_id = $2;

-- name: SetOperatorSeen :exec
UPDATE operator_session SET seen_at = sqlc.arg(at) WHERE id = sqlc.arg(id) AND seen_at < sqlc.arg(at);

-- name: SetOperatorConfirmed :execrows
UPDATE operator_session SET confirmed_at = $1 WHERE id = $2;

-- name: DeleteOperatorSession :execrows
DELETE FROM operator_session WHERE id = $1;

-- name: DeleteOperatorSessions :exec
DELETE FROM operator_session WHERE operator_id = $1;

-- name: DropOperatorSessions :exec
DELETE FROM operator_session WHERE opened_at <= sqlc.arg(opened) OR seen_at <= sqlc.arg(seen);

-- name: OverOperatorSessions :one
-- How many sessions and invitations are over.
SELECT CAST((SELECT COUNT(*) FROM operator_session WHERE opened_at <= sqlc.arg(opened) OR seen_at <= sqlc.arg(seen))
  + (SELECT COUNT(*) FROM operator_invitation WHERE expires_at <= sqlc.arg(now)) AS BIGINT) AS ended;

-- name: OperatorPasskeys :many
SELECT * FROM operator_passkey WHERE operator_id = $1 ORDER BY created_at, id;

-- name: OperatorPasskey :one
SELECT * FROM operator_passkey WHERE id = $1;

-- name: CountOperatorPasskeys :one
SELECT COUNT(*) FROM operator_passkey WHERE operator_id = $1;

-- name: InsertOperatorPasskey :execrows
INSERT INTO operator_passkey (id, operator_id, name, credential, signatures, synced, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (id) DO NOTHING;

-- name: DeleteOperatorPasskey :execrows
DELETE FROM operator_passkey WHERE id = $1 AND operator_id = $2;

-- name: DeleteOperatorPasskeys :exec
DELETE FROM operator_passkey WHERE operator_id = $1;

-- name: UseOperatorPasskey :execrows
UPDATE operator_passkey SET credential = $1, signatures = $2, synced = $3, used_at = $4
WHERE id = $5 AND operator_id = $6 AND signatures = sqlc.arg(was);


-- name: PlayersOfWallet :many
SELECT p.id, p.display_name, p.email FROM player p WHERE p.id IN (
  SELECT w.player_id FROM wallet w WHERE w.smart_address = $1 UNION SELECT w.player_id FROM wallet w WHERE w.owner_address = $1
  UNION SELECT v.player_id FROM verified_wallet v WHERE v.address = $1
) ORDER BY p.id;

-- name: RewardsOfPlayer :many
SELECT * FROM reward WHERE player_id = $1 ORDER BY earned_at DESC, source DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: FailedRewards :many
SELECT * FROM reward WHERE state = 'failed' ORDER BY updated_at DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: UnownedRewards :many
SELECT * FROM reward WHERE player_id IS NULL AND wallet <> '' ORDER BY wallet LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: NeedsPerson :one
-- How much waits for an operator, each up to a number.
SELECT
  CAST((SELECT COUNT(*) FROM (SELECT 1 FROM reward WHERE state = 'failed' LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS r) AS BIGINT) AS failed_rewards,
  CAST((SELECT COUNT(*) FROM (SELECT 1 FROM reward WHERE player_id IS NULL AND wallet <> '' LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS u) AS BIGINT) AS unowned_rewards,
  CAST((SELECT COUNT(*) FROM (SELECT id FROM shop_order WHERE problem <> '' UNION SELECT order_id FROM shop_line WHERE waits <> '' LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS o) AS BIGINT) AS shop_waiting,
  CAST((SELECT COUNT(*) FROM (SELECT 1 FROM shop_hint WHERE error <> '' LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS h) AS BIGINT) AS shop_failed,
  CAST((SELECT COUNT(*) FROM (SELECT 1 FROM shop_debt WHERE state IN ('sending', 'open') LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS d) AS BIGINT) AS debts,
  CAST((SELECT COUNT(*) FROM (SELECT 1 FROM player WHERE frozen_at > 0 LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) AS f) AS BIGINT) AS frozen_players;
