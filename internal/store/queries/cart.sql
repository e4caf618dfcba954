-- name: TakeHoldTurn :one
UPDATE player SET hold_turn = hold_turn + 1 WHERE id = $1 RETURNING frozen_at, frozen_reason;

-- name: ListingOffer :one
SELECT id, contract, seller, quantity, price, status, valid, reserved, start_at, end_at FROM listing WHERE id = $1;

-- name: LockListing :exec
UPDATE listing SET updated_at = updated_at WHERE id = $1;

-- name: HoldStanding :one
SELECT CAST(COALESCE((SELECT w.smart_address FROM wallet w WHERE w.player_id = $1), '') AS TEXT) AS wallet,
       CAST((SELECT COUNT(*) FROM cart_hold h WHERE h.player_id = $1 AND h.expires_at > sqlc.arg(now)) AS BIGINT) AS held,
       CAST((SELECT COUNT(*) FROM hold_lapse l WHERE l.player_id = $1 AND l.lapsed_at > sqlc.arg(since)) AS BIGINT) AS lapses,
       CAST(COALESCE((SELECT MAX(l.lapsed_at) FROM hold_lapse l WHERE l.player_id = $1), 0) AS BIGINT) AS last_lapse;

-- name: ListingHolds :many
SELECT unit, player_id, expires_at FROM cart_hold WHERE listing_id = $1 ORDER BY unit;

-- name: TakeFreeUnit :execrows
INSERT INTO cart_hold (listing_id, unit, player_id, held_at, expires_at, price) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (listing_id, unit) DO NOTHING;

-- name: TakeExpiredUnit :execrows
UPDATE cart_hold SET player_id = $3, held_at = $4, expires_at = $5, price = $6, order_id = ''
WHERE listing_id = $1 AND unit = $2 AND cart_hold.expires_at <= $4;

-- name: ReleaseHold :many
DELETE FROM cart_hold WHERE cart_hold.listing_id = $1 AND cart_hold.unit = $2 AND cart_hold.player_id = $3
  AND NOT EXISTS (SELECT 1 FROM purchase_order o WHERE o.id = cart_hold.order_id AND o.state IN ('submitted', 'confirming'))
RETURNING cart_hold.order_id;

-- name: ReleaseHolds :many
DELETE FROM cart_hold WHERE cart_hold.player_id = $1
  AND NOT EXISTS (SELECT 1 FROM purchase_order o WHERE o.id = cart_hold.order_id AND o.state IN ('submitted', 'confirming'))
RETURNING cart_hold.listing_id, cart_hold.order_id;

-- name: HoldOf :one
SELECT * FROM cart_hold WHERE listing_id = $1 AND unit = $2 AND player_id = $3;

-- name: DropExpiredHold :many
DELETE FROM cart_hold WHERE listing_id = $1 AND unit = $2 AND player_id = $3 AND expires_at <= $4 RETURNING order_id;

-- name: DropExpiredHolds :many
DELETE FROM cart_hold WHERE cart_hold.expires_at <= sqlc.arg(now) AND (cart_hold.listing_id, cart_hold.unit) IN (
    SELECT h.listing_id, h.unit FROM cart_hold h WHERE h.expires_at <= sqlc.arg(now) ORDER BY h.expires_at LIMIT sqlc.arg(batch))
RETURNING cart_hold.listing_id, cart_hold.unit, cart_hold.player_id, cart_hold.order_id;

-- name: InsertLapse :exec
INSERT INTO hold_lapse (id, player_id, lapsed_at) VALUES ($1, $2, $3);

-- name: DropOldLapses :exec
DELETE FROM hold_lapse WHERE lapsed_at <= $1;

-- name: CartItems :many
SELECT h.listing_id, h.unit, h.held_at, h.expires_at, h.price, h.order_id, l.listing_id AS number, l.contract
FROM cart_hold h JOIN listing l ON l.id = h.listing_id
WHERE h.player_id = $1 AND h.expires_at > $2 ORDER BY h.held_at, h.listing_id, h.unit;

-- name: CountExpiredHolds :one
SELECT COUNT(*) FROM cart_hold WHERE expires_at <= $1;
