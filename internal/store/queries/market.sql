-- name: ListingCard :one
SELECT * FROM listing_card c WHERE c.id = $1;

-- name: TokenByID :one
SELECT * FROM token WHERE contract = $1 AND token_id = $2;

-- name: TokenOwners :many
SELECT owner, amount FROM holding WHERE contract = $1 AND token_id = $2 AND amount <> '0'
ORDER BY LENGTH(amount) DESC, amount DESC, owner LIMIT $3;

-- name: TokenSupply :one
-- The supply of a token's copies, or of all tokens of its collection if they are unique.
SELECT s.token_id, s.minted, s.burned, CAST(COALESCE((
    SELECT c.max_supply FROM supply_cap c
    WHERE c.chain_id = s.chain_id AND c.contract = s.contract AND c.token_id = s.token_id
    ORDER BY c.block_number DESC, c.log_index DESC LIMIT 1), '') AS TEXT) AS max_supply
FROM supply s WHERE s.contract = sqlc.arg(contract) AND s.token_id IN (sqlc.arg(token_id), '') LIMIT 1;

-- name: TokenSales :many
-- Sales in a currency other than the market's, or in one the index could not determine, have the zero address and no
-- comparable price.
SELECT * FROM sale WHERE contract = $1 AND token_id = $2 AND currency <> '0x0000000000000000000000000000000000000000'
ORDER BY time DESC, block_number DESC, log_index DESC LIMIT $3;

-- name: RarityCounts :many
SELECT * FROM rarity_count ORDER BY collection, contract, rarity_rank, rarity;

-- name: TraitListed :one
-- How many browsable listings have the trait, or the value of the trait.
SELECT CAST(COALESCE(SUM(listed), 0) AS BIGINT) FROM trait_count
WHERE trait = sqlc.arg(trait) AND (CAST(sqlc.arg(value) AS TEXT) = '' OR value = sqlc.arg(value))
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR collection = sqlc.arg(collection));

-- name: TraitCounts :many
-- The most common values of the traits of a collection's listings.
SELECT trait, value, CAST(SUM(listed) AS BIGINT) AS listings FROM trait_count
WHERE collection = $1 AND listed > 0 GROUP BY trait, value ORDER BY trait, listings DESC, value;

-- name: Sales :many
-- The last sales for which the market's currency was paid.
SELECT sqlc.embed(s), t.collection, t.name, t.kind, t.rarity, t.attributes
FROM sale s JOIN token t ON t.contract = s.contract AND t.token_id = s.token_id
WHERE s.currency <> '0x0000000000000000000000000000000000000000'
  AND (s.time, s.chain_id, s.block_number, s.log_index)
    < (CAST(sqlc.arg(before) AS BIGINT), CAST(sqlc.arg(chain) AS BIGINT), CAST(sqlc.arg(block) AS BIGINT), CAST(sqlc.arg(log) AS BIGINT))
ORDER BY s.time DESC, s.chain_id DESC, s.block_number DESC, s.log_index DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: CollectionFloor :one
-- A listing is live when it is valid, start_at <= begun and end_at > now; see market.Listing.Live. The sums keep other
-- indexes from being used.
SELECT price_rank FROM listing
WHERE browsable = 1 AND collection = $1 AND contract || '' = $2 AND start_at + 0 <= sqlc.arg(begun) AND end_at + 0 > sqlc.arg(now)
ORDER BY price_rank, id LIMIT 1;

-- name: EndedByCollection :many
SELECT contract, collection, COUNT(*) AS listings FROM listing WHERE browsable = 1 AND end_at <= sqlc.arg(now) GROUP BY contract, collection;

-- name: UnbegunByCollection :many
SELECT contract, collection, COUNT(*) AS listings FROM listing
WHERE browsable = 1 AND start_at > sqlc.arg(begun) AND end_at + 0 > sqlc.arg(now) GROUP BY contract, collection;

-- name: ListingsOfSeller :many
-- The stages are those of market.Listing.Stage; invalid includes returned.
SELECT * FROM listing_card c
WHERE c.seller = sqlc.arg(seller)
  AND (CAST(sqlc.arg(stage) AS TEXT) = '' OR sqlc.arg(stage) = CASE
      WHEN c.status = 'sold' THEN 'sold'
      WHEN c.status <> 'active' OR c.end_at <= sqlc.arg(now) THEN 'ended'
      WHEN c.valid = 1 THEN 'live' ELSE 'invalid' END)
  AND (c.created_at, c.id) < (CAST(sqlc.arg(after_rank) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY c.created_at DESC, c.id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ListingSales :many
-- The last transfer of the currency to the seller before a sale's event is the payout: the marketplace makes it last.
SELECT sqlc.embed(s), CAST(COALESCE((
    SELECT x.amount FROM token_transfer x
    WHERE x.chain_id = s.chain_id AND x.block_number = s.block_number AND x.log_index < s.log_index AND x.tx_hash = s.tx_hash
      AND x.contract = s.currency AND x.to_address = s.seller
    ORDER BY x.log_index DESC LIMIT 1), '') AS TEXT) AS received
FROM sale s WHERE s.chain_id = $1 AND s.listing_id = $2
ORDER BY s.block_number DESC, s.log_index DESC;

-- name: OfferedUnits :one
SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT) FROM listing
WHERE seller = $1 AND contract = $2 AND token_id = $3 AND status = 'active' AND end_at > sqlc.arg(now);

-- name: OwnedUnits :one
SELECT amount FROM holding WHERE contract = $1 AND token_id = $2 AND owner = $3;
