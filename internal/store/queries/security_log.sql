-- name: InsertSecurityEntry :exec
INSERT INTO security_entry (id, at, event, actor_kind, actor, subject, session_id, network, refusal, detail, reason)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: SecurityNetworkKey :one
SELECT key FROM security_network_key WHERE month = $1;

-- name: InsertSecurityNetworkKey :exec
INSERT INTO security_network_key (month, key) VALUES ($1, $2) ON CONFLICT (month) DO NOTHING;

-- name: DeleteSecurityNetworkKeys :exec
-- Those of other months.
DELETE FROM security_network_key WHERE month < $1;

-- name: UnchainedSecurityEntries :many
-- The oldest that have no place in the chain.
SELECT * FROM security_entry WHERE sequence IS NULL ORDER BY at, id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ChainSecurityEntry :execrows
UPDATE security_entry SET sequence = sqlc.arg(sequence), hash = $1 WHERE id = $2 AND sequence IS NULL;

-- name: SecurityChain :one
SELECT * FROM security_chain WHERE id = 1;

-- name: ExtendSecurityChain :execrows
UPDATE security_chain SET sequence = $1, hash = $2 WHERE id = 1 AND sequence = sqlc.arg(was);

-- name: SecurityEntriesFrom :many
-- In the order of the chain.
SELECT * FROM security_entry WHERE sequence > CAST(sqlc.arg(after) AS BIGINT) ORDER BY sequence LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: CountUnchainedSecurityEntries :one
SELECT COUNT(*) FROM security_entry WHERE sequence IS NULL;

-- name: DeleteSecurityEntries :exec
DELETE FROM security_entry WHERE sequence <= CAST(sqlc.arg(up_to) AS BIGINT);

-- name: RemoveFromSecurityChain :exec
UPDATE security_chain SET removed_sequence = $1, removed_hash = $2 WHERE id = 1;

-- name: SecurityEntries :many
-- The newest before a place in the list, the newest first.
SELECT * FROM security_entry WHERE (at, id) < (CAST(sqlc.arg(before_at) AS BIGINT), CAST(sqlc.arg(before_id) AS TEXT)) AND at >= sqlc.arg(since)
ORDER BY at DESC, id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: SecurityEntriesOfSubject :many
SELECT * FROM security_entry
WHERE subject = $1 AND (CAST(sqlc.arg(of_event) AS TEXT) = '' OR event = sqlc.arg(of_event))
  AND (CAST(sqlc.arg(acts_only) AS BIGINT) = 0 OR actor_kind <> 'operator' OR reason <> '' AND refusal = '')
  AND (at, id) < (CAST(sqlc.arg(before_at) AS BIGINT), CAST(sqlc.arg(before_id) AS TEXT)) AND at >= sqlc.arg(since)
ORDER BY at DESC, id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: SecurityEntriesOfEvent :many
SELECT * FROM security_entry
WHERE event = $1 AND (at, id) < (CAST(sqlc.arg(before_at) AS BIGINT), CAST(sqlc.arg(before_id) AS TEXT)) AND at >= sqlc.arg(since)
ORDER BY at DESC, id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: SecurityEntriesOfKind :many
SELECT * FROM security_entry
WHERE actor_kind = $1 AND (CAST(sqlc.arg(acts_only) AS BIGINT) = 0 OR actor_kind <> 'operator' OR reason <> '' AND refusal = '')
  AND (at, id) < (CAST(sqlc.arg(before_at) AS BIGINT), CAST(sqlc.arg(before_id) AS TEXT)) AND at >= sqlc.arg(since)
ORDER BY at DESC, id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: CopyOperatorLog :exec
-- What the version before this one has logged since.
INSERT INTO security_entry (id, at, event, actor_kind, actor, subject, session_id, network, refusal, detail, reason)
SELECT o.id, o.at, o.command, 'operator', o.who, o.subject, '', '', '', o.detail, o.reason FROM operator_log o
WHERE o.at >= sqlc.arg(since) AND NOT EXISTS (SELECT 1 FROM security_entry e WHERE e.id = o.id);

-- name: DeleteOperatorLog :exec
DELETE FROM operator_log WHERE at < $1;

-- name: RecentSecurityEntries :one
-- How many there are of an event since a time, up to a number.
SELECT COUNT(*) FROM (SELECT 1 FROM security_entry WHERE event = $1 AND at >= sqlc.arg(since) LIMIT CAST(sqlc.arg(up_to) AS BIGINT)) e;

-- name: RecentSecurityEntriesOf :one
-- How many there are of an event and a subject since a time, up to a number.
SELECT COUNT(*) FROM (
    SELECT 1 FROM security_entry WHERE subject = $1 AND at >= sqlc.arg(since) AND event = $2 LIMIT CAST(sqlc.arg(up_to) AS BIGINT)
) e;
