-- name: InsertOutbox :exec
INSERT INTO outbox (id, topic, target, payload, created_at, trace) VALUES ($1, $2, $3, $4, $5, $6);

-- name: OutboxBatch :many
SELECT * FROM outbox ORDER BY id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: BumpListing :exec
INSERT INTO listing_version (listing_id, version) VALUES ($1, 1)
ON CONFLICT (listing_id) DO UPDATE SET version = listing_version.version + 1;

-- Sets no column of the key (name, fence), so that on PostgreSQL it waits for no transaction that has checked the lease.
-- name: RenewLease :many
UPDATE lease SET expires_at = sqlc.arg(expires_at) WHERE name = $1 AND process = $2 AND holder = $3 RETURNING fence;

-- A process takes the lease of an earlier process of its replica at once. A lease that it cannot take is not locked.
-- name: TakeLease :many
UPDATE lease SET holder = sqlc.arg(holder), process = sqlc.arg(process), expires_at = sqlc.arg(expires_at), fence = lease.fence + 1
WHERE name = sqlc.arg(name) AND (lease.expires_at <= sqlc.arg(now)
    OR lease.holder = sqlc.arg(holder) AND EXISTS (SELECT 1 FROM replica r WHERE r.id = lease.holder AND r.process = sqlc.arg(process)))
RETURNING fence;

-- name: InsertLease :many
INSERT INTO lease (name, holder, process, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING RETURNING fence;

-- name: LeaseOf :one
SELECT * FROM lease WHERE name = $1;

-- name: DropLease :exec
UPDATE lease SET expires_at = sqlc.arg(now) WHERE name = $1 AND process = $2 AND holder = $3 AND expires_at > sqlc.arg(now);

-- name: SeeReplica :execrows
INSERT INTO replica (id, process, version, signer_keys, started_at, seen_at) VALUES ($1, $2, $3, $4, sqlc.arg(now), sqlc.arg(now))
ON CONFLICT (id) DO UPDATE SET process = excluded.process, version = excluded.version, signer_keys = excluded.signer_keys, seen_at = excluded.seen_at,
    started_at = CASE WHEN replica.process = excluded.process THEN replica.started_at ELSE excluded.started_at END
WHERE replica.process = excluded.process OR replica.seen_at <= sqlc.arg(unseen_since) OR CAST(sqlc.arg(replaces) AS BOOLEAN);

-- name: Replicas :many
SELECT * FROM replica WHERE seen_at > sqlc.arg(since) ORDER BY started_at, id;

-- name: ForgetReplica :exec
DELETE FROM replica WHERE id = $1 AND process = $2;

-- name: ForgetReplicas :exec
DELETE FROM replica WHERE seen_at <= sqlc.arg(unseen_since);
