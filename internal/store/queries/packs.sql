-- name: PacksForSale :many
SELECT token_id, CAST(SUM(quantity) AS BIGINT) AS quantity FROM listing
WHERE chain_id = sqlc.arg(chain_id) AND contract = sqlc.arg(contract) AND seller = sqlc.arg(seller) AND valid = 1
  AND start_at <= sqlc.arg(begun) AND end_at > sqlc.arg(now)
GROUP BY token_id;

-- name: PackOffers :many
-- The cheapest first.
SELECT id, listing_id, token_id, price, quantity FROM listing
WHERE chain_id = sqlc.arg(chain_id) AND contract = sqlc.arg(contract) AND seller = sqlc.arg(seller) AND valid = 1
  AND start_at <= sqlc.arg(begun) AND end_at > sqlc.arg(now)
ORDER BY price_rank, id;

-- name: PackListed :one
SELECT token_id FROM listing WHERE id = $1 AND contract = $2;

-- name: AgeConfirmed :one
SELECT adult_at FROM player WHERE id = $1;

-- name: ConfirmAge :one
-- The first confirmation counts.
UPDATE player SET adult_at = CASE adult_at WHEN 0 THEN sqlc.arg(at) ELSE adult_at END WHERE id = sqlc.arg(id) RETURNING adult_at;
