-- name: AccountBusy :one
-- How many operations of the account are in progress, or are to be cancelled because their session has ended.
SELECT (SELECT COUNT(*) FROM gas_operation o WHERE o.chain_id = $1 AND o.sender = $2 AND o.state <> 'dropped' AND o.state IN ('queued', 'sent'))
     + (SELECT COUNT(*) FROM sponsorship s WHERE s.chain_id = $1 AND s.sender = $2 AND s.state = 'reserved' AND s.public = 1
        AND s.expires_at > sqlc.arg(now) AND NOT EXISTS (
            SELECT 1 FROM session WHERE session.id = s.session_id AND session.revoked_at = 0 AND session.expires_at > sqlc.arg(now)));

-- name: BoughtBefore :many
-- The other sellers of what a buyer has bought. Totals are decimal text without leading zeros. Sales in other currencies have
-- the zero address.
SELECT DISTINCT seller FROM (
    SELECT seller FROM sale WHERE buyer = $1 AND seller <> buyer AND time < $2 AND currency <> '0x0000000000000000000000000000000000000000'
      AND (LENGTH(total) > LENGTH(CAST(sqlc.arg(least) AS TEXT)) OR LENGTH(total) = LENGTH(CAST(sqlc.arg(least) AS TEXT)) AND total >= CAST(sqlc.arg(least) AS TEXT))
    LIMIT 1000) AS bought;

-- name: SpendGasBudget :execrows
INSERT INTO gas_budget (chain_id, scope, subject, starts_at, operations, gwei) VALUES ($1, $2, $3, $4, 1, $5)
ON CONFLICT (chain_id, scope, subject) DO UPDATE SET
    operations = CASE WHEN gas_budget.starts_at < excluded.starts_at THEN 1 ELSE gas_budget.operations + 1 END,
    gwei = CASE WHEN gas_budget.starts_at < excluded.starts_at THEN excluded.gwei ELSE gas_budget.gwei + excluded.gwei END,
    starts_at = CASE WHEN gas_budget.starts_at < excluded.starts_at THEN excluded.starts_at ELSE gas_budget.starts_at END
WHERE gas_budget.starts_at < excluded.starts_at
   OR (gas_budget.operations < CAST(sqlc.arg(most_operations) AS BIGINT)
       AND gas_budget.gwei + excluded.gwei <= CAST(sqlc.arg(most_gwei) AS BIGINT));

-- name: RefundGasBudget :exec
UPDATE gas_budget SET operations = operations - CAST(sqlc.arg(operations) AS BIGINT), gwei = gwei - CAST(sqlc.arg(gwei) AS BIGINT)
WHERE chain_id = sqlc.arg(chain_id) AND scope = sqlc.arg(scope) AND subject = sqlc.arg(subject) AND starts_at = sqlc.arg(starts_at)
  AND operations >= CAST(sqlc.arg(operations) AS BIGINT) AND gwei >= CAST(sqlc.arg(gwei) AS BIGINT);

-- name: DropOldGasBudgets :exec
DELETE FROM gas_budget WHERE starts_at < $1;

-- name: GasBudgetOf :one
SELECT * FROM gas_budget WHERE chain_id = $1 AND scope = $2 AND subject = $3;

-- name: GasRaise :one
SELECT CAST(COALESCE(SUM(operations), 0) AS BIGINT) AS operations, CAST(COALESCE(SUM(gwei), 0) AS BIGINT) AS gwei
FROM gas_raise WHERE chain_id = $1 AND starts_at = $2;

-- name: RaiseGasBudget :exec
INSERT INTO gas_raise (chain_id, starts_at, operations, gwei) VALUES ($1, $2, $3, $4)
ON CONFLICT (chain_id, starts_at) DO UPDATE SET operations = gas_raise.operations + excluded.operations, gwei = gas_raise.gwei + excluded.gwei;

-- name: InsertSponsorship :exec
INSERT INTO sponsorship (operation, chain_id, player_id, session_id, network, sender, nonce, public, newcomer, purchase, gwei, state, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: EndedSponsorships :many
SELECT s.* FROM sponsorship s WHERE s.chain_id = $1 AND s.state = 'reserved' AND s.public = 1 AND s.expires_at > sqlc.arg(now) AND NOT EXISTS (
    SELECT 1 FROM session WHERE session.id = s.session_id AND session.revoked_at = 0 AND session.expires_at > sqlc.arg(now))
ORDER BY s.created_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DropUnusedSponsorship :many
DELETE FROM sponsorship WHERE chain_id = $1 AND sender = $2 AND state = 'reserved' RETURNING *;

-- name: ReopenSponsorship :execrows
UPDATE sponsorship SET state = 'reserved' WHERE operation = $1 AND state = 'used' AND public = 1;

-- name: DropSponsorship :many
DELETE FROM sponsorship WHERE operation = $1 AND state = $2 RETURNING *;

-- name: UseSponsorship :execrows
UPDATE sponsorship SET state = 'used' WHERE sponsorship.operation = $1 AND sponsorship.player_id = $2 AND sponsorship.state = 'reserved'
  AND sponsorship.expires_at > sqlc.arg(now)
  AND EXISTS (SELECT 1 FROM session WHERE session.id = sponsorship.session_id AND session.revoked_at = 0 AND session.expires_at > sqlc.arg(now));

-- name: CountUsableSponsorships :one
SELECT COUNT(*) FROM sponsorship AS s JOIN session ON session.id = s.session_id AND session.revoked_at = 0 AND session.expires_at > sqlc.arg(now)
WHERE s.operation = $1 AND s.player_id = $2 AND s.session_id = $3 AND s.state = 'reserved' AND s.expires_at > sqlc.arg(now);

-- name: ExpiredSponsorships :many
SELECT operation FROM sponsorship WHERE chain_id = $1 AND state = 'reserved' AND expires_at < $2 ORDER BY expires_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);
