-- Token ids are decimal numbers without leading zeros: of two, the longer one is the larger.

-- name: TokensOf :many
SELECT h.token_id, h.amount, t.collection, t.name, t.kind, t.rarity, t.attributes
FROM holding h JOIN token t ON t.contract = h.contract AND t.token_id = h.token_id
WHERE h.owner = sqlc.arg(owner) AND h.contract = sqlc.arg(contract) AND h.chain_id = sqlc.arg(chain_id) AND h.amount <> '0'
  AND (LENGTH(h.token_id), h.token_id) > (CAST(sqlc.arg(after_length) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY LENGTH(h.token_id), h.token_id LIMIT sqlc.arg(page_size);

-- name: StockOf :many
SELECT token_id, amount FROM holding
WHERE owner = $1 AND contract = $2 AND chain_id = $3 AND amount <> '0'
ORDER BY LENGTH(token_id), token_id;
