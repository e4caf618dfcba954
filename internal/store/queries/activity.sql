-- name: Activity :many
-- A player's activity, the newest first. The id only orders entries of the same time and has no meaning elsewhere.
SELECT a.kind, CAST(a.id AS TEXT) AS id, a.time, a.contract, a.token_id, a.amount, a.currency, a.total, a.tx_hash, a.detail,
    COALESCE(t.collection, '') AS collection, COALESCE(t.name, '') AS name, COALESCE(t.kind, '') AS token_kind,
    COALESCE(t.rarity, '') AS rarity
FROM (
    SELECT 'purchase' AS kind, 'b' || s.chain_id || '.' || s.block_number || '.' || s.log_index AS id, s.time, s.contract, s.token_id,
        CAST(s.quantity AS TEXT) AS amount, s.currency, s.total, s.tx_hash, '' AS detail
    FROM sale s WHERE s.buyer = CAST(sqlc.arg(wallet) AS TEXT)
    UNION ALL
    SELECT 'sale' AS kind, 's' || s.chain_id || '.' || s.block_number || '.' || s.log_index AS id, s.time, s.contract, s.token_id,
        CAST(s.quantity AS TEXT) AS amount, s.currency, s.total, s.tx_hash, '' AS detail
    FROM sale s WHERE s.seller = CAST(sqlc.arg(wallet) AS TEXT)
    UNION ALL
    SELECT CASE e.kind WHEN 'new' THEN 'listing' ELSE 'unlisting' END AS kind,
        'l' || e.chain_id || '.' || e.block_number || '.' || e.log_index AS id, e.time, l.contract, l.token_id,
        '' AS amount, l.currency, '0' AS total, e.tx_hash, e.detail
    FROM listing l JOIN listing_event e ON e.chain_id = l.chain_id AND e.listing_id = l.listing_id
    WHERE l.seller = CAST(sqlc.arg(wallet) AS TEXT) AND e.kind IN ('new', 'cancelled')
    UNION ALL
    SELECT 'burn' AS kind, 'x' || b.chain_id || '.' || b.block_number || '.' || b.log_index || '.' || b.sub_index AS id, b.time, b.contract, b.token_id,
        b.amount, '' AS currency, '0' AS total, b.tx_hash, '' AS detail
    FROM token_transfer b
    WHERE b.from_address = CAST(sqlc.arg(wallet) AS TEXT) AND b.to_address = '0x0000000000000000000000000000000000000000' AND b.standard <> 'erc20'
    UNION ALL
    SELECT 'withdrawal' AS kind, 'w' || o.chain_id || '.' || o.block_number || '.' || o.log_index || '.' || o.sub_index AS id, o.time, o.contract, o.token_id,
        o.amount, CASE o.standard WHEN 'erc20' THEN o.contract ELSE '' END AS currency,
        CASE o.standard WHEN 'erc20' THEN o.amount ELSE '0' END AS total,
        o.tx_hash, o.to_address AS detail
    FROM token_transfer o
    WHERE o.from_address = CAST(sqlc.arg(wallet) AS TEXT) AND EXISTS (
        SELECT 1 FROM withdrawal_part p JOIN withdrawal d ON d.id = p.withdrawal_id
        WHERE p.tx_hash = o.tx_hash AND p.tx_hash <> '' AND d.sender = o.from_address AND d.recipient = o.to_address)
    UNION ALL
    SELECT 'reward' AS kind, 'r' || g.source || '/' || g.number AS id, g.updated_at AS time, '' AS contract, '' AS token_id,
        '' AS amount, '' AS currency, '0' AS total, '' AS tx_hash, g.kind || ' ' || g.detail AS detail
    FROM reward r JOIN reward_grant g ON g.source = r.source
    WHERE r.player_id = CAST(sqlc.arg(player_id) AS TEXT) AND g.state = 'done'
    UNION ALL
    SELECT 'login' AS kind, 'n' || n.id AS id, n.created_at AS time, '' AS contract, '' AS token_id,
        '' AS amount, '' AS currency, '0' AS total, '' AS tx_hash, '' AS detail
    FROM session n WHERE n.player_id = CAST(sqlc.arg(player_id) AS TEXT)
) a LEFT JOIN token t ON t.contract = a.contract AND t.token_id = a.token_id
WHERE (a.time, a.id) < (CAST(sqlc.arg(before_time) AS BIGINT), CAST(sqlc.arg(before_id) AS TEXT))
ORDER BY a.time DESC, a.id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: PaidOrders :many
-- The transactions that paid a player's orders.
SELECT id, tx_hash FROM purchase_order WHERE player_id = $1 AND tx_hash <> '';

-- name: PurchaseTimes :many
SELECT time FROM sale WHERE buyer = $1 ORDER BY time LIMIT CAST(sqlc.arg(n) AS BIGINT);

-- name: FirstSaleTime :one
SELECT CAST(COALESCE(MIN(time), 0) AS BIGINT) AS time FROM sale WHERE seller = $1;

-- name: FirstListingTime :one
SELECT CAST(COALESCE(MIN(created_at), 0) AS BIGINT) AS time FROM listing WHERE seller = $1;

-- name: FirstReceived :many
SELECT x.contract, CAST(MIN(x.time) AS BIGINT) AS time FROM token_transfer x
WHERE x.chain_id = $1 AND x.to_address = sqlc.arg(wallet) AND x.standard <> 'erc20' GROUP BY x.contract;

-- name: FirstBurned :many
SELECT x.contract, CAST(MIN(x.time) AS BIGINT) AS time FROM token_transfer x
WHERE x.from_address = sqlc.arg(wallet) AND x.to_address = '0x0000000000000000000000000000000000000000' AND x.standard <> 'erc20'
GROUP BY x.contract;

-- name: FirstReceivedByTrait :many
-- An expression in place of the trait keeps SQLite from walking all tokens that have it instead of those received.
SELECT CAST(MIN(x.time) AS BIGINT) AS time
FROM token_transfer x JOIN token_trait tt ON tt.contract = x.contract AND tt.token_id = x.token_id AND tt.trait || '' = CAST(sqlc.arg(trait) AS TEXT)
WHERE x.chain_id = $1 AND x.to_address = sqlc.arg(wallet) AND x.contract = sqlc.arg(contract) GROUP BY tt.value;

-- name: FirstReceivedOfRarity :one
SELECT CAST(COALESCE(MIN(x.time), 0) AS BIGINT) AS time
FROM token_transfer x JOIN token t ON t.contract = x.contract AND t.token_id = x.token_id
WHERE x.chain_id = $1 AND x.to_address = sqlc.arg(wallet) AND t.rarity_rank >= sqlc.arg(at_least);
