-- name: SellerListings :one
-- A player's wallet and how many listings it has that are active and whose time is not over.
SELECT w.smart_address, CAST((SELECT COUNT(*) FROM listing l WHERE l.chain_id = sqlc.arg(chain_id) AND l.seller = w.smart_address AND l.status = 'active'
    AND l.end_at > sqlc.arg(now)) AS BIGINT) AS listings
FROM wallet w WHERE w.player_id = sqlc.arg(player_id) AND w.stored_at > 0;

-- name: ListingOnSale :one
-- An active listing whose time is not over, with the ends of its holds.
SELECT l.listing_id, l.seller, l.contract, l.token_id, l.quantity, l.listed, l.price,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds
FROM listing l WHERE l.id = sqlc.arg(id) AND l.status = 'active' AND l.end_at > sqlc.arg(now);

-- name: ListingsOnSale :many
-- A seller's listings of a token, like ListingOnSale.
SELECT l.listing_id, l.seller, l.contract, l.token_id, l.quantity, l.listed, l.price,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds
FROM listing l
WHERE l.chain_id = sqlc.arg(chain_id) AND l.seller = sqlc.arg(seller) AND l.contract = sqlc.arg(contract) AND l.token_id = sqlc.arg(token_id)
  AND l.status = 'active' AND l.end_at > sqlc.arg(now);

-- name: InsertEndedHold :exec
INSERT INTO ended_hold (chain_id, seller, contract, token_id, listing_id, unit, price, expires_at, block_number)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (listing_id, unit, expires_at) DO NOTHING;

-- name: EndedHolds :many
-- Holds of a token that an act of the seller, or of one who has sent the seller such a token since, has ended.
SELECT e.price, e.expires_at FROM ended_hold e
WHERE e.contract = sqlc.arg(contract) AND e.token_id = sqlc.arg(token_id) AND e.expires_at > sqlc.arg(now) AND e.chain_id = sqlc.arg(chain_id)
  AND (e.seller = sqlc.arg(seller) OR EXISTS (
    SELECT 1 FROM token_transfer x WHERE x.chain_id = e.chain_id AND x.from_address = e.seller AND x.contract = e.contract AND x.token_id = e.token_id
        AND x.block_number >= e.block_number AND x.to_address || '' = sqlc.arg(seller)));

-- name: DropEndedHolds :exec
DELETE FROM ended_hold WHERE expires_at <= $1;
