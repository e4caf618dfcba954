-- name: ListingCard :one
SELECT * FROM listing_card c WHERE c.id = $1;

-- name: TokenByID :one
SELECT * FROM token WHERE contract = $1 AND token_id = $2;

-- name: OfferedToken :one
-- With the id of its cheapest live listing, '' for none.
SELECT sqlc.embed(t), CAST(COALESCE((
    SELECT l.id FROM listing l
    WHERE l.contract = t.contract AND l.token_id = t.token_id AND l.browsable = 1 AND l.start_at + 0 <= sqlc.arg(begun) AND l.end_at + 0 > sqlc.arg(now)
    ORDER BY l.price_rank, l.id LIMIT 1), '') AS TEXT) AS cheapest
FROM token t WHERE t.contract = sqlc.arg(contract) AND t.token_id = sqlc.arg(token_id);

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

-- name: TokenListingEvents :many
-- Events of a token's listings before a position, the newest first; of a change, with the terms before it.
SELECT e.block_number, e.log_index, e.tx_hash, e.time, e.listing_id, e.kind, e.detail, COALESCE(l.seller, '') AS seller,
    COALESCE(s.currency, '') AS currency, COALESCE(s.unit_price, '0') AS unit_price,
    CAST(COALESCE(CASE e.kind WHEN 'updated' THEN (
        SELECT p.detail FROM listing_event p
        WHERE p.chain_id = e.chain_id AND p.listing_id = e.listing_id AND p.kind IN ('new', 'updated')
          AND (p.block_number, p.log_index) < (e.block_number, e.log_index)
        ORDER BY p.block_number DESC, p.log_index DESC LIMIT 1) END, '') AS TEXT) AS terms_before
FROM listing_event e
LEFT JOIN listing l ON l.id = e.chain_id || '-' || e.listing_id
LEFT JOIN sale s ON s.chain_id = e.chain_id AND s.block_number = e.block_number AND s.log_index = e.log_index
WHERE e.contract = sqlc.arg(contract) AND e.token_id = sqlc.arg(token_id)
  AND (e.block_number, e.log_index) < (CAST(sqlc.arg(before_block) AS BIGINT), CAST(sqlc.arg(before_log) AS BIGINT))
ORDER BY e.block_number DESC, e.log_index DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: TokenTransfers :many
-- Transfers of a token before a position, the newest first, and whether a sale made each. Sales are looked up by their
-- block; the empty texts keep other indexes from being used.
SELECT x.block_number, x.log_index, x.sub_index, x.tx_hash, x.time, x.from_address, x.to_address, x.amount,
    CAST(CASE WHEN EXISTS (
        SELECT 1 FROM sale s
        WHERE s.chain_id = x.chain_id AND s.block_number = x.block_number AND s.tx_hash = x.tx_hash AND s.contract || '' = x.contract
          AND s.token_id || '' = x.token_id AND s.seller || '' = x.from_address AND s.buyer || '' = x.to_address) THEN 1 ELSE 0 END AS BIGINT) AS sold
FROM token_transfer x
WHERE x.contract = sqlc.arg(contract) AND x.token_id = sqlc.arg(token_id)
  AND (x.block_number, x.log_index, x.sub_index) <
      (CAST(sqlc.arg(before_block) AS BIGINT), CAST(sqlc.arg(before_log) AS BIGINT), CAST(sqlc.arg(before_sub) AS BIGINT))
ORDER BY x.block_number DESC, x.log_index DESC, x.sub_index DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: CollectionFloor :one
-- A listing is live when it is valid, start_at <= begun and end_at > now; see market.Listing.Live. The sums keep other
-- indexes from being used.
SELECT price FROM listing
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
SELECT * FROM sale WHERE chain_id = $1 AND listing_id = $2 ORDER BY block_number DESC, log_index DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ListingProceeds :many
-- All sales of a listing, by what each gave its seller: the same for most of them.
SELECT received, COUNT(*) AS sales, CAST(SUM(quantity) AS BIGINT) AS units FROM sale WHERE chain_id = $1 AND listing_id = $2 GROUP BY received;

-- name: OfferedUnits :one
SELECT CAST(COALESCE(SUM(listed), 0) AS BIGINT) FROM listing
WHERE seller = $1 AND contract = $2 AND token_id = $3 AND status = 'active' AND end_at > sqlc.arg(now);

-- name: OwnedUnits :one
SELECT amount FROM holding WHERE contract = $1 AND token_id = $2 AND owner = $3;
