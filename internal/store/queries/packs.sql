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
