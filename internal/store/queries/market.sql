-- A listing is live when valid = 1 AND start_at <= begun AND end_at > now; see market.Listing.Live.
--
-- The four orders differ only in their last lines: an index can serve an order only when it is written out. A plus
-- before the price keeps SQLite from using the price index where another order is wanted, and a cast of a
-- word or a limit keeps it from planning the query again each time. There are as many rarities as parameters for them;
-- those not used repeat the first.

-- name: ListingsNewest :many
SELECT * FROM listing_card c
WHERE c.valid = 1 AND c.start_at <= sqlc.arg(begun) AND c.end_at > sqlc.arg(now)
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR c.contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR c.collection = sqlc.arg(collection))
  AND (CAST(sqlc.arg(token_id) AS TEXT) = '' OR c.token_id = sqlc.arg(token_id))
  AND (CAST(sqlc.arg(rarity) AS TEXT) = '' OR c.rarity IN (
      sqlc.arg(rarity), sqlc.arg(rarity2), sqlc.arg(rarity3), sqlc.arg(rarity4), sqlc.arg(rarity5), sqlc.arg(rarity6)))
  AND +c.price_rank >= sqlc.arg(min_price) AND +c.price_rank <= sqlc.arg(max_price)
  AND (CAST(sqlc.arg(trait) AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM token_trait x
      WHERE x.contract = c.contract AND x.token_id = c.token_id AND x.trait = sqlc.arg(trait)
        AND (CAST(sqlc.arg(value) AS TEXT) = '' OR x.value = sqlc.arg(value))))
  AND c.words LIKE CAST(sqlc.arg(word1) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word2) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word3) AS TEXT)
  AND (c.created_at, c.id) < (CAST(sqlc.arg(after_rank) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY c.created_at DESC, c.id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ListingsCheapest :many
SELECT * FROM listing_card c
WHERE c.valid = 1 AND c.start_at <= sqlc.arg(begun) AND c.end_at > sqlc.arg(now)
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR c.contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR c.collection = sqlc.arg(collection))
  AND (CAST(sqlc.arg(token_id) AS TEXT) = '' OR c.token_id = sqlc.arg(token_id))
  AND (CAST(sqlc.arg(rarity) AS TEXT) = '' OR c.rarity IN (
      sqlc.arg(rarity), sqlc.arg(rarity2), sqlc.arg(rarity3), sqlc.arg(rarity4), sqlc.arg(rarity5), sqlc.arg(rarity6)))
  AND c.price_rank >= sqlc.arg(min_price) AND c.price_rank <= sqlc.arg(max_price)
  AND (CAST(sqlc.arg(trait) AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM token_trait x
      WHERE x.contract = c.contract AND x.token_id = c.token_id AND x.trait = sqlc.arg(trait)
        AND (CAST(sqlc.arg(value) AS TEXT) = '' OR x.value = sqlc.arg(value))))
  AND c.words LIKE CAST(sqlc.arg(word1) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word2) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word3) AS TEXT)
  AND (c.price_rank, c.id) > (CAST(sqlc.arg(after_rank) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY c.price_rank ASC, c.id ASC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ListingsDearest :many
SELECT * FROM listing_card c
WHERE c.valid = 1 AND c.start_at <= sqlc.arg(begun) AND c.end_at > sqlc.arg(now)
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR c.contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR c.collection = sqlc.arg(collection))
  AND (CAST(sqlc.arg(token_id) AS TEXT) = '' OR c.token_id = sqlc.arg(token_id))
  AND (CAST(sqlc.arg(rarity) AS TEXT) = '' OR c.rarity IN (
      sqlc.arg(rarity), sqlc.arg(rarity2), sqlc.arg(rarity3), sqlc.arg(rarity4), sqlc.arg(rarity5), sqlc.arg(rarity6)))
  AND c.price_rank >= sqlc.arg(min_price) AND c.price_rank <= sqlc.arg(max_price)
  AND (CAST(sqlc.arg(trait) AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM token_trait x
      WHERE x.contract = c.contract AND x.token_id = c.token_id AND x.trait = sqlc.arg(trait)
        AND (CAST(sqlc.arg(value) AS TEXT) = '' OR x.value = sqlc.arg(value))))
  AND c.words LIKE CAST(sqlc.arg(word1) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word2) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word3) AS TEXT)
  AND (c.price_rank, c.id) < (CAST(sqlc.arg(after_rank) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY c.price_rank DESC, c.id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ListingsRarest :many
SELECT * FROM listing_card c
WHERE c.valid = 1 AND c.start_at <= sqlc.arg(begun) AND c.end_at > sqlc.arg(now)
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR c.contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR c.collection = sqlc.arg(collection))
  AND (CAST(sqlc.arg(token_id) AS TEXT) = '' OR c.token_id = sqlc.arg(token_id))
  AND (CAST(sqlc.arg(rarity) AS TEXT) = '' OR c.rarity IN (
      sqlc.arg(rarity), sqlc.arg(rarity2), sqlc.arg(rarity3), sqlc.arg(rarity4), sqlc.arg(rarity5), sqlc.arg(rarity6)))
  AND +c.price_rank >= sqlc.arg(min_price) AND +c.price_rank <= sqlc.arg(max_price)
  AND (CAST(sqlc.arg(trait) AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM token_trait x
      WHERE x.contract = c.contract AND x.token_id = c.token_id AND x.trait = sqlc.arg(trait)
        AND (CAST(sqlc.arg(value) AS TEXT) = '' OR x.value = sqlc.arg(value))))
  AND c.words LIKE CAST(sqlc.arg(word1) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word2) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word3) AS TEXT)
  AND (c.rarity_rank, c.id) < (CAST(sqlc.arg(after_rank) AS BIGINT), CAST(sqlc.arg(after_id) AS TEXT))
ORDER BY c.rarity_rank DESC, c.id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: CountListings :one
SELECT COUNT(*) FROM listing_card c
WHERE c.valid = 1 AND c.start_at <= sqlc.arg(begun) AND c.end_at > sqlc.arg(now)
  AND (CAST(sqlc.arg(contract) AS TEXT) = '' OR c.contract = sqlc.arg(contract))
  AND (CAST(sqlc.arg(collection) AS TEXT) = '' OR c.collection = sqlc.arg(collection))
  AND (CAST(sqlc.arg(token_id) AS TEXT) = '' OR c.token_id = sqlc.arg(token_id))
  AND (CAST(sqlc.arg(rarity) AS TEXT) = '' OR c.rarity IN (
      sqlc.arg(rarity), sqlc.arg(rarity2), sqlc.arg(rarity3), sqlc.arg(rarity4), sqlc.arg(rarity5), sqlc.arg(rarity6)))
  AND c.price_rank >= sqlc.arg(min_price) AND c.price_rank <= sqlc.arg(max_price)
  AND (CAST(sqlc.arg(trait) AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM token_trait x
      WHERE x.contract = c.contract AND x.token_id = c.token_id AND x.trait = sqlc.arg(trait)
        AND (CAST(sqlc.arg(value) AS TEXT) = '' OR x.value = sqlc.arg(value))))
  AND c.words LIKE CAST(sqlc.arg(word1) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word2) AS TEXT) AND c.words LIKE CAST(sqlc.arg(word3) AS TEXT);

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

-- name: CollectionFigures :many
SELECT t.contract, t.collection, CAST(COUNT(l.id) AS BIGINT) AS listed, CAST(COALESCE(MIN(l.price_rank), -1) AS BIGINT) AS floor_rank
FROM token t LEFT JOIN listing l ON l.contract = t.contract AND l.token_id = t.token_id
  AND l.valid = 1 AND l.start_at <= sqlc.arg(begun) AND l.end_at > sqlc.arg(now)
GROUP BY t.contract, t.collection ORDER BY t.collection, t.contract;

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
