-- name: TradedListing :one
SELECT contract, token_id, seller, price,
       CAST(CASE WHEN browsable = 1 AND start_at <= sqlc.arg(now) AND end_at > sqlc.arg(now) THEN 1 ELSE 0 END AS BIGINT) AS live
FROM listing WHERE id = $1;

-- name: TradedToken :one
SELECT name, rarity FROM token WHERE contract = $1 AND token_id = $2;

-- name: SalesOfToken :many
-- The newest sale of a token between each two wallets that count, and since when the accounts of both sides exist. Others, of
-- which anybody can make any number, must not displace them.
SELECT r.seller, r.buyer, r.unit_price, r.time, CAST(r.seller_since AS BIGINT) AS seller_since, CAST(r.buyer_since AS BIGINT) AS buyer_since
FROM (
    SELECT x.seller, x.buyer, x.unit_price, x.time, COALESCE(ps.created_at, 0) AS seller_since, COALESCE(pb.created_at, 0) AS buyer_since,
           ROW_NUMBER() OVER (PARTITION BY x.seller, x.buyer ORDER BY x.time DESC, x.block_number DESC, x.log_index DESC) AS nth
    FROM sale x
    LEFT JOIN wallet ws ON ws.smart_address = x.seller LEFT JOIN player ps ON ps.id = ws.player_id
    LEFT JOIN wallet wb ON wb.smart_address = x.buyer LEFT JOIN player pb ON pb.id = wb.player_id
    WHERE x.contract = sqlc.arg(contract) AND x.token_id = sqlc.arg(token_id) AND x.currency = sqlc.arg(currency) AND x.time >= sqlc.arg(since) AND x.seller <> x.buyer
      AND (x.time - COALESCE(ps.created_at, x.time) > CAST(sqlc.arg(min_age) AS BIGINT)
        OR CAST(sqlc.arg(own) AS TEXT) LIKE '%' || x.seller || '%')
      AND (x.time - COALESCE(pb.created_at, x.time) > CAST(sqlc.arg(min_age) AS BIGINT)
        OR CAST(sqlc.arg(own) AS TEXT) LIKE '%' || x.buyer || '%')
) r
WHERE r.nth = 1 ORDER BY r.time DESC LIMIT 200;

-- name: SalesOfRarity :many
-- The same for unique tokens of a rarity.
SELECT r.seller, r.buyer, r.unit_price, r.time, CAST(r.seller_since AS BIGINT) AS seller_since, CAST(r.buyer_since AS BIGINT) AS buyer_since
FROM (
    SELECT x.seller, x.buyer, x.unit_price, x.time, COALESCE(ps.created_at, 0) AS seller_since, COALESCE(pb.created_at, 0) AS buyer_since,
           ROW_NUMBER() OVER (PARTITION BY x.seller, x.buyer ORDER BY x.time DESC, x.block_number DESC, x.log_index DESC) AS nth
    FROM sale x
    JOIN token t ON t.contract = x.contract AND t.token_id = x.token_id AND t.rarity = sqlc.arg(rarity)
    LEFT JOIN wallet ws ON ws.smart_address = x.seller LEFT JOIN player ps ON ps.id = ws.player_id
    LEFT JOIN wallet wb ON wb.smart_address = x.buyer LEFT JOIN player pb ON pb.id = wb.player_id
    WHERE x.contract = sqlc.arg(contract) AND x.currency = sqlc.arg(currency) AND x.time >= sqlc.arg(since) AND x.seller <> x.buyer
      AND (x.time - COALESCE(ps.created_at, x.time) > CAST(sqlc.arg(min_age) AS BIGINT)
        OR CAST(sqlc.arg(own) AS TEXT) LIKE '%' || x.seller || '%')
      AND (x.time - COALESCE(pb.created_at, x.time) > CAST(sqlc.arg(min_age) AS BIGINT)
        OR CAST(sqlc.arg(own) AS TEXT) LIKE '%' || x.buyer || '%')
) r
WHERE r.nth = 1 ORDER BY r.time DESC LIMIT 200;

-- name: OffersOfToken :many
SELECT o.seller, o.price, CAST(COALESCE(p.created_at, 0) AS BIGINT) AS seller_since
FROM (SELECT l.seller, l.price, l.price_rank FROM listing l
      WHERE l.browsable = 1 AND l.contract = $1 AND l.token_id = $2 AND l.currency = $3 AND l.start_at <= sqlc.arg(now) AND l.end_at > sqlc.arg(now)
      ORDER BY l.price_rank LIMIT 200) o
LEFT JOIN wallet w ON w.smart_address = o.seller LEFT JOIN player p ON p.id = w.player_id
ORDER BY o.price_rank;

-- name: OffersOfRarity :many
SELECT o.seller, o.price, CAST(COALESCE(p.created_at, 0) AS BIGINT) AS seller_since
FROM (SELECT l.seller, l.price, l.price_rank FROM listing l
      WHERE l.browsable = 1 AND l.contract = $1 AND l.rarity = $2 AND l.currency = $3 AND l.start_at <= sqlc.arg(now) AND l.end_at > sqlc.arg(now)
      ORDER BY l.price_rank LIMIT 200) o
LEFT JOIN wallet w ON w.smart_address = o.seller LEFT JOIN player p ON p.id = w.player_id
ORDER BY o.price_rank;

-- name: SalesBySeller :many
-- By buyer, without the last digits of totals, as many as cut. What is then longer than a billion with six decimals is left out.
SELECT buyer, CAST(SUM(CASE WHEN LENGTH(total) <= CAST(sqlc.arg(cut) AS INTEGER) THEN 0
    ELSE CAST(SUBSTR(total, 1, CAST(LENGTH(total) - CAST(sqlc.arg(cut) AS INTEGER) AS INTEGER)) AS BIGINT) END) AS BIGINT) AS total
FROM sale
WHERE seller = $1 AND currency = $2 AND time >= sqlc.arg(since) AND LENGTH(total) <= CAST(sqlc.arg(cut) AS INTEGER) + 15 GROUP BY buyer;

-- name: SalesToBuyer :many
-- The same by seller.
SELECT seller, CAST(SUM(CASE WHEN LENGTH(total) <= CAST(sqlc.arg(cut) AS INTEGER) THEN 0
    ELSE CAST(SUBSTR(total, 1, CAST(LENGTH(total) - CAST(sqlc.arg(cut) AS INTEGER) AS INTEGER)) AS BIGINT) END) AS BIGINT) AS total
FROM sale
WHERE buyer = $1 AND currency = $2 AND time >= sqlc.arg(since) AND LENGTH(total) <= CAST(sqlc.arg(cut) AS INTEGER) + 15 GROUP BY seller;

-- name: BoughtUnits :many
SELECT unit_price, quantity FROM sale
WHERE buyer = $1 AND contract = $2 AND token_id = $3 AND currency = $4 ORDER BY time DESC LIMIT 200;

-- name: TradeRiskUsed :one
SELECT CAST(COALESCE(SUM(risk), 0) AS BIGINT) AS risk FROM trade_risk
WHERE player_id = $1 AND charged_at > sqlc.arg(since) AND (wallet <> $2 OR nonce <> $3);

-- name: TradePayments :many
SELECT seller, CAST(SUM(amount) AS BIGINT) AS amount FROM trade_payment
WHERE player_id = $1 AND charged_at > sqlc.arg(since) AND (wallet <> $2 OR nonce <> $3) GROUP BY seller;

-- name: ChargeTradeRisk :exec
INSERT INTO trade_risk (player_id, wallet, nonce, risk, charged_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (player_id, wallet, nonce) DO UPDATE SET
    risk = CASE WHEN excluded.risk > trade_risk.risk THEN excluded.risk ELSE trade_risk.risk END, charged_at = excluded.charged_at;

-- name: ChargeTradePayment :exec
INSERT INTO trade_payment (player_id, wallet, nonce, seller, amount, charged_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (player_id, wallet, nonce, seller) DO UPDATE SET
    amount = CASE WHEN excluded.amount > trade_payment.amount THEN excluded.amount ELSE trade_payment.amount END, charged_at = excluded.charged_at;

-- name: ForgetTradeRisk :exec
DELETE FROM trade_risk WHERE player_id = $1 AND charged_at <= sqlc.arg(before);

-- name: ForgetTradePayments :exec
DELETE FROM trade_payment WHERE player_id = $1 AND charged_at <= sqlc.arg(before);
