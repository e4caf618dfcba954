-- name: TradedListing :one
SELECT contract, token_id, seller, quantity, price,
       CAST(CASE WHEN browsable = 1 AND start_at <= sqlc.arg(now) AND end_at > sqlc.arg(now) THEN 1 ELSE 0 END AS BIGINT) AS live
FROM listing WHERE id = $1;

-- name: TradedToken :one
SELECT name, rarity FROM token WHERE contract = $1 AND token_id = $2;

-- name: SalesOfToken :many
-- The newest sales of a token, and since when the accounts of both sides exist.
SELECT s.seller, s.buyer, s.unit_price, s.time,
       CAST(COALESCE(ps.created_at, 0) AS BIGINT) AS seller_since, CAST(COALESCE(pb.created_at, 0) AS BIGINT) AS buyer_since
FROM (SELECT x.seller, x.buyer, x.unit_price, x.time FROM sale x
      WHERE x.contract = $1 AND x.token_id = $2 AND x.currency = $3 AND x.time >= sqlc.arg(since) ORDER BY x.time DESC LIMIT 200) s
LEFT JOIN wallet ws ON ws.smart_address = s.seller LEFT JOIN player ps ON ps.id = ws.player_id
LEFT JOIN wallet wb ON wb.smart_address = s.buyer LEFT JOIN player pb ON pb.id = wb.player_id
ORDER BY s.time DESC;

-- name: SalesOfRarity :many
-- The same for unique tokens of a rarity, of the newest 2000 sales of the collection.
SELECT s.seller, s.buyer, s.unit_price, s.time,
       CAST(COALESCE(ps.created_at, 0) AS BIGINT) AS seller_since, CAST(COALESCE(pb.created_at, 0) AS BIGINT) AS buyer_since
FROM (SELECT x.seller, x.buyer, x.unit_price, x.time, x.token_id FROM sale x
      WHERE x.contract = $1 AND x.currency = $2 AND x.time >= sqlc.arg(since) ORDER BY x.time DESC LIMIT 2000) s
JOIN token t ON t.contract = $1 AND t.token_id = s.token_id AND t.rarity = $3
LEFT JOIN wallet ws ON ws.smart_address = s.seller LEFT JOIN player ps ON ps.id = ws.player_id
LEFT JOIN wallet wb ON wb.smart_address = s.buyer LEFT JOIN player pb ON pb.id = wb.player_id
ORDER BY s.time DESC LIMIT 200;

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
SELECT buyer, total FROM sale WHERE seller = $1 AND currency = $2 AND time >= sqlc.arg(since) ORDER BY time DESC LIMIT 200;

-- name: SalesToBuyer :many
SELECT seller, total FROM sale WHERE buyer = $1 AND currency = $2 AND time >= sqlc.arg(since) ORDER BY time DESC LIMIT 200;

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
