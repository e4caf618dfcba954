-- name: PlayerBelongings :one
-- What a player has or waits for besides the tokens in the wallet.
SELECT CAST(COALESCE(w.smart_address, '') AS TEXT) AS wallet,
       CAST((SELECT COUNT(*) FROM listing l WHERE l.seller = w.smart_address AND l.status = 'active' AND l.end_at > sqlc.arg(now)) AS BIGINT) AS listings,
       CAST((SELECT COUNT(*) FROM withdrawal x WHERE x.player_id = p.id AND x.state = 'confirmed' AND x.expires_at > sqlc.arg(now)) AS BIGINT) AS withdrawals,
       CAST((SELECT COUNT(*) FROM purchase_order o WHERE o.player_id = p.id AND o.state IN ('submitted', 'confirming')) AS BIGINT) AS orders,
       CAST((SELECT COUNT(*) FROM gas_operation g WHERE g.player_id = p.id AND g.state IN ('queued', 'sent')) AS BIGINT) AS operations,
       CAST((SELECT COUNT(DISTINCT s.id) FROM shop_order s JOIN shop_line i ON i.order_id = s.id
             WHERE s.player_id = p.id AND s.status IN ('processing', 'completed', 'on-hold') AND i.given < i.quantity - i.back) AS BIGINT) AS shop_orders,
       CAST((SELECT COUNT(*) FROM reward r WHERE r.player_id = p.id AND r.state IN ('pending', 'drawn', 'sending'))
         + (SELECT COUNT(*) FROM chain_move m CROSS JOIN move_holding h
             WHERE h.from_chain = m.from_chain AND m.state = 'moved' AND h.owner = w.smart_address AND h.claimed_at = 0) AS BIGINT) AS rewards
FROM player p LEFT JOIN wallet w ON w.player_id = p.id WHERE p.id = sqlc.arg(player_id);

-- name: RequestDeletion :execrows
INSERT INTO deletion_request (player_id, requested_at, due_at, next_at, cancel_hash)
VALUES ($1, sqlc.arg(at), sqlc.arg(due), sqlc.arg(due), sqlc.arg(cancel_hash)) ON CONFLICT (player_id) DO NOTHING;

-- name: DeletionRequest :one
SELECT * FROM deletion_request WHERE player_id = $1;

-- name: DeletionRequestByToken :one
SELECT * FROM deletion_request WHERE cancel_hash = $1 AND cancel_hash <> '';

-- name: DropDeletionRequest :execrows
DELETE FROM deletion_request WHERE player_id = $1;

-- name: TakeDeletionRequest :execrows
-- Only one deletion of an account takes the request.
DELETE FROM deletion_request WHERE player_id = $1 AND due_at <= sqlc.arg(now);

-- name: DeletionRequestsDue :many
SELECT player_id FROM deletion_request WHERE next_at <= sqlc.arg(now) ORDER BY next_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DelayDeletionRequest :exec
UPDATE deletion_request SET next_at = $1 WHERE player_id = $2;

-- name: CloseWallet :exec
INSERT INTO closed_wallet (address, state, closed_at) SELECT w.smart_address, 'closing', CAST(sqlc.arg(at) AS BIGINT) FROM wallet w WHERE w.player_id = sqlc.arg(player_id)
ON CONFLICT (address) DO UPDATE SET state = 'closing', closed_at = excluded.closed_at;

-- name: ReopenWallet :exec
UPDATE closed_wallet SET state = 'reopening' WHERE address IN (SELECT w.smart_address FROM wallet w WHERE w.player_id = $1);

-- name: MustClose :one
-- Whether a player is frozen, or will be deleted: then nothing is bought from the wallet.
SELECT CAST(CASE WHEN p.frozen_at > 0 THEN 1
    WHEN EXISTS (SELECT 1 FROM deletion_request d WHERE d.player_id = p.id) THEN 1 ELSE 0 END AS BIGINT) AS must
FROM player p WHERE p.id = $1;

-- name: UnsettledWallets :many
SELECT address FROM closed_wallet WHERE state <> 'closed' ORDER BY address LIMIT 100;

-- name: SettleClosedWallet :exec
UPDATE closed_wallet SET state = 'closed' WHERE address = $1 AND state = 'closing';

-- name: DropReopenedWallet :exec
DELETE FROM closed_wallet WHERE address = $1 AND state = 'reopening';

-- name: ActiveGoodsOfSeller :many
SELECT DISTINCT contract, token_id FROM listing WHERE chain_id = $1 AND seller = $2 AND status = 'active';
