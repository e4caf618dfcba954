-- name: InsertOutbox :exec
INSERT INTO outbox (id, topic, target, payload, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: OutboxBatch :many
SELECT * FROM outbox ORDER BY id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: BumpListing :exec
INSERT INTO listing_version (listing_id, version) VALUES ($1, 1)
ON CONFLICT (listing_id) DO UPDATE SET version = listing_version.version + 1;

-- name: TakeLease :execrows
INSERT INTO lease (name, holder, expires_at) VALUES ($1, $2, sqlc.arg(expires_at))
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
WHERE lease.holder = excluded.holder OR lease.expires_at <= sqlc.arg(now);

-- name: DropLease :exec
DELETE FROM lease WHERE name = $1 AND holder = $2;
