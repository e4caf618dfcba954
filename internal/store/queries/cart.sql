-- name: TakeHoldTurn :one
SELECT frozen_at, frozen_reason FROM player WHERE id = $1 FOR NO KEY UPDATE;

-- name: LockPlayerHolds :exec
SELECT 1 FROM player WHERE id = $1 FOR NO KEY UPDATE;

-- name: LockCart :exec
-- Waits for a sale that moves the player's holds to other units.
SELECT 1 FROM cart_hold WHERE player_id = $1 ORDER BY listing_id, unit FOR UPDATE;

-- name: LockListing :exec
SELECT 1 FROM listing WHERE id = $1 FOR NO KEY UPDATE;

-- name: LockHoldNetwork :exec
INSERT INTO hold_network (network, turn) VALUES ($1, 1) ON CONFLICT (network) DO UPDATE SET turn = hold_network.turn + 1;

-- name: HoldFacts :one
SELECT l.id, l.contract, l.seller, l.quantity, l.price, l.start_at, l.end_at, p.frozen_at, p.frozen_reason,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM closed_wallet c WHERE c.address = l.seller AND c.state <> 'reopening') THEN 0 ELSE l.valid END AS BIGINT) AS valid,
       CAST((SELECT COUNT(*) FROM deletion_request d WHERE d.player_id = p.id) AS BIGINT) AS deleting,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT STRING_AGG(t.began_at || ' ' || t.ended_at || ' ' || t.bought, ',')
                      FROM hold_time t WHERE t.player_id = p.id AND t.listing_id = l.id), '') AS TEXT) AS past,
       CAST(COALESCE((SELECT w.smart_address FROM wallet w WHERE w.player_id = p.id AND w.stored_at > 0), '') AS TEXT) AS wallet,
       CAST((SELECT COUNT(*) FROM cart_hold h WHERE h.player_id = p.id AND h.expires_at > sqlc.arg(now)) AS BIGINT) AS held,
       CAST(CASE WHEN sqlc.arg(network) = '' THEN 0 -- holds without a network share none
            ELSE (SELECT COUNT(*) FROM cart_hold h WHERE h.network = sqlc.arg(network) AND h.expires_at > sqlc.arg(now)) END AS BIGINT) AS network_held,
       CAST(COALESCE((SELECT t.ends_at FROM hold_wait t WHERE t.player_id = p.id), 0) AS BIGINT) AS wait_until
FROM player p JOIN listing l ON l.id = sqlc.arg(listing_id) WHERE p.id = sqlc.arg(player_id);

-- name: ListingShelf :one
SELECT l.quantity,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM closed_wallet c WHERE c.address = l.seller AND c.state <> 'reopening') THEN 0 ELSE l.valid END AS BIGINT) AS valid,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds
FROM listing l WHERE l.id = $1;

-- name: DropIdleHoldNetworks :exec
DELETE FROM hold_network WHERE NOT EXISTS (SELECT 1 FROM cart_hold h WHERE h.network = hold_network.network);

-- name: NetworkHoldEnd :one
SELECT CAST(COALESCE(MIN(expires_at), 0) AS BIGINT) FROM cart_hold WHERE network = $1 AND expires_at > $2;

-- name: ListingHeldUntil :one
SELECT CAST(COALESCE((SELECT MAX(t.ended_at) FROM hold_time t WHERE t.player_id = $1 AND t.listing_id = $2 AND t.bought = 1), 0) AS BIGINT) AS forgiven,
       CAST(COALESCE((SELECT MIN(h.held_at) FROM cart_hold h WHERE h.player_id = $1 AND h.listing_id = $2 AND h.expires_at > sqlc.arg(now)), 0) AS BIGINT) AS began;

-- name: HoldTimesWithin :many
SELECT began_at, ended_at FROM hold_time
WHERE player_id = $1 AND listing_id = $2 AND ended_at > sqlc.arg(began) AND began_at < sqlc.arg(ended) ORDER BY began_at;

-- name: InsertHoldTime :exec
INSERT INTO hold_time (player_id, listing_id, began_at, ended_at, unit_time, bought) VALUES ($1, $2, $3, $4, $5, $6);

-- name: UnitTimeSince :one
SELECT CAST(COALESCE(SUM(unit_time), 0) AS BIGINT) FROM hold_time WHERE player_id = $1 AND ended_at > $2;

-- name: SettleHoldTime :exec
UPDATE hold_time SET bought = 1 WHERE player_id = $1 AND listing_id = $2;

-- name: DropOldHoldTimes :exec
DELETE FROM hold_time WHERE ended_at <= $1;

-- name: HoldWait :one
SELECT step, ends_at FROM hold_wait WHERE player_id = $1;

-- name: BeginHoldWait :exec
INSERT INTO hold_wait (player_id, step, ends_at) VALUES ($1, $2, $3)
ON CONFLICT (player_id) DO UPDATE SET step = excluded.step, ends_at = excluded.ends_at WHERE hold_wait.ends_at <= CAST(sqlc.arg(began_at) AS BIGINT);

-- name: DropOldHoldWaits :exec
DELETE FROM hold_wait WHERE ends_at <= $1;

-- name: HoldFunds :many
SELECT 'balance' AS kind, b.amount, CAST(0 AS BIGINT) AS at
FROM wallet w JOIN holding b ON b.chain_id = sqlc.arg(chain_id) AND b.contract = sqlc.arg(currency) AND b.token_id = '0' AND b.owner = w.smart_address
WHERE w.player_id = sqlc.arg(player_id)
UNION ALL
SELECT 'recent', a.amount, a.arrived_at FROM wallet w JOIN recent_funds a ON a.wallet = w.smart_address
WHERE w.player_id = sqlc.arg(player_id) AND a.arrived_at > sqlc.arg(since)
UNION ALL
SELECT 'held', l.price, h.held_at FROM cart_hold h JOIN listing l ON l.id = h.listing_id
WHERE h.player_id = sqlc.arg(player_id) AND h.expires_at > sqlc.arg(now);

-- name: InsertRecentFunds :exec
INSERT INTO recent_funds (wallet, amount, arrived_at) SELECT w.smart_address, CAST(sqlc.arg(amount) AS TEXT), CAST(sqlc.arg(arrived_at) AS BIGINT)
FROM wallet w WHERE w.smart_address = sqlc.arg(wallet);

-- name: DropOldRecentFunds :exec
DELETE FROM recent_funds WHERE arrived_at <= $1;

-- name: FundedHolds :many
SELECT h.listing_id, h.unit, h.held_at, h.expires_at, h.order_id, l.listing_id AS number, l.contract, l.price
FROM cart_hold h JOIN listing l ON l.id = h.listing_id
WHERE h.player_id = $1 AND h.expires_at > $2;

-- name: ListingHolds :many
SELECT unit, player_id, held_at, expires_at FROM cart_hold WHERE listing_id = $1 ORDER BY unit;

-- name: TakeFreeUnit :execrows
INSERT INTO cart_hold (listing_id, unit, player_id, held_at, expires_at, price, network) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (listing_id, unit) DO NOTHING;

-- name: TakeExpiredUnit :execrows
UPDATE cart_hold SET player_id = $3, held_at = $4, expires_at = $5, price = $6, network = $7, order_id = ''
WHERE listing_id = $1 AND unit = $2 AND cart_hold.expires_at <= $4;

-- name: ReleaseHold :many
DELETE FROM cart_hold WHERE cart_hold.listing_id = $1 AND cart_hold.unit = $2 AND cart_hold.player_id = $3
  AND NOT EXISTS (SELECT 1 FROM purchase_order o WHERE o.id = cart_hold.order_id AND o.state IN ('submitted', 'confirming'))
RETURNING cart_hold.listing_id, cart_hold.player_id, cart_hold.held_at, cart_hold.expires_at, cart_hold.order_id;

-- name: ReleaseHolds :many
DELETE FROM cart_hold WHERE cart_hold.player_id = $1
  AND NOT EXISTS (SELECT 1 FROM purchase_order o WHERE o.id = cart_hold.order_id AND o.state IN ('submitted', 'confirming'))
RETURNING cart_hold.listing_id, cart_hold.player_id, cart_hold.held_at, cart_hold.expires_at, cart_hold.order_id;

-- name: HoldOf :one
SELECT * FROM cart_hold WHERE listing_id = $1 AND unit = $2 AND player_id = $3;

-- name: DropExpiredHold :many
DELETE FROM cart_hold WHERE listing_id = $1 AND unit = $2 AND player_id = $3 AND expires_at <= $4
RETURNING listing_id, player_id, held_at, expires_at, order_id;

-- name: DropExpiredHolds :many
DELETE FROM cart_hold WHERE cart_hold.expires_at <= sqlc.arg(now) AND (cart_hold.listing_id, cart_hold.unit) IN (
    SELECT h.listing_id, h.unit FROM cart_hold h WHERE h.expires_at <= sqlc.arg(now) ORDER BY h.expires_at LIMIT sqlc.arg(batch))
RETURNING cart_hold.listing_id, cart_hold.player_id, cart_hold.held_at, cart_hold.expires_at, cart_hold.order_id;

-- name: CartItems :many
SELECT h.listing_id, h.unit, h.held_at, h.expires_at, h.price, h.order_id, l.listing_id AS number, l.contract
FROM cart_hold h JOIN listing l ON l.id = h.listing_id
WHERE h.player_id = $1 AND h.expires_at > $2 ORDER BY h.held_at, h.listing_id, h.unit;

-- name: CountExpiredHolds :one
SELECT COUNT(*) FROM cart_hold WHERE expires_at <= $1;
