-- name: SaveOrder :exec
INSERT INTO purchase_order (id, player_id, wallet, chain_id, currency, total, state, user_op_hash, tx_hash, error, settled_block, calls, calls_hash, created_at, updated_at, expires_at, trace)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, user_op_hash = excluded.user_op_hash, tx_hash = excluded.tx_hash, error = excluded.error,
    settled_block = excluded.settled_block, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
    trace = CASE WHEN excluded.trace = '' THEN purchase_order.trace ELSE excluded.trace END;

-- name: SaveOrderItem :exec
INSERT INTO order_item (order_id, line, listing_id, number, contract, token_id, seller, quantity, price, bought)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (order_id, line) DO UPDATE SET bought = excluded.bought;

-- name: SaveOrderEvent :exec
INSERT INTO order_event (order_id, seq, state, at, detail) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (order_id, seq) DO NOTHING;

-- name: LockOrder :execrows
UPDATE purchase_order SET updated_at = updated_at WHERE id = $1;

-- name: OrderByID :one
SELECT * FROM purchase_order WHERE id = $1;

-- name: OrderPayouts :many
-- What the sellers got in the transaction that settled an order.
SELECT listing_id, received FROM sale WHERE chain_id = $1 AND block_number = $2 AND tx_hash = $3 AND buyer = $4;

-- name: OrderByOperation :one
SELECT * FROM purchase_order WHERE user_op_hash = $1 AND user_op_hash <> '';

-- name: OpenOrderOf :one
SELECT * FROM purchase_order WHERE player_id = $1 AND state IN ('awaiting-payment', 'submitted', 'confirming')
ORDER BY created_at DESC, id DESC LIMIT 1;

-- name: OrderByCalls :one
SELECT * FROM purchase_order WHERE player_id = $1 AND calls_hash = $2
ORDER BY CASE WHEN state = 'awaiting-payment' THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT 1;

-- name: DropOldUnpaidOrders :exec
DELETE FROM purchase_order AS p WHERE p.player_id = sqlc.arg(player_id) AND p.user_op_hash = '' AND p.state = 'expired' AND p.updated_at < sqlc.arg(before)
  AND p.id NOT IN (
    SELECT o.id FROM purchase_order o WHERE o.player_id = sqlc.arg(player_id) AND o.user_op_hash = '' AND o.state = 'expired'
    ORDER BY o.created_at DESC, o.id DESC LIMIT CAST(sqlc.arg(keep) AS BIGINT));

-- name: UnpaidOrdersWith :many
SELECT o.id FROM purchase_order o JOIN order_item i ON i.order_id = o.id
WHERE i.listing_id = $1 AND o.state = 'awaiting-payment' ORDER BY o.id;

-- name: OverdueOrders :many
SELECT id FROM purchase_order WHERE state IN ('awaiting-payment', 'submitted', 'confirming') AND expires_at <= $1 ORDER BY expires_at LIMIT $2;

-- name: OrdersSettledAfter :many
SELECT * FROM purchase_order WHERE chain_id = $1 AND settled_block > $2 AND settled_block > 0 ORDER BY id;

-- name: OrderItems :many
SELECT * FROM order_item WHERE order_id = $1 ORDER BY line;

-- name: OrderEvents :many
SELECT * FROM order_event WHERE order_id = $1 ORDER BY seq;

-- name: KeepHold :execrows
UPDATE cart_hold SET order_id = $1, expires_at = $2 WHERE listing_id = $3 AND unit = $4 AND player_id = $5;

-- name: KeepOrderHolds :exec
UPDATE cart_hold SET expires_at = $1 WHERE order_id = $2 AND order_id <> '' AND expires_at < $1;

-- name: CartUnits :many
SELECT h.listing_id, h.unit, h.expires_at, h.order_id, l.listing_id AS number, l.contract, l.token_id, l.seller, l.currency, l.price,
       l.valid, l.start_at, l.end_at, l.quantity
FROM cart_hold h JOIN listing l ON l.id = h.listing_id
WHERE h.player_id = $1 AND h.expires_at > $2 ORDER BY h.listing_id, h.unit;

-- name: BuyerOf :one
SELECT w.smart_address, CAST(COALESCE((
    SELECT b.amount FROM holding b
    WHERE b.chain_id = sqlc.arg(chain_id) AND b.contract = sqlc.arg(currency) AND b.token_id = '0' AND b.owner = w.smart_address), '0') AS TEXT) AS balance
FROM wallet w WHERE w.player_id = sqlc.arg(player_id) AND w.stored_at > 0;

-- name: OrdersSince :many
SELECT state, COUNT(*) AS orders FROM purchase_order WHERE updated_at > sqlc.arg(since) GROUP BY state;

-- name: OldestPaidOrder :one
SELECT CAST(COALESCE(MIN(updated_at), 0) AS BIGINT) AS updated_at FROM purchase_order WHERE state IN ('submitted', 'confirming');

-- name: CountHolds :one
SELECT COUNT(*) FROM cart_hold WHERE expires_at > sqlc.arg(now);
