-- name: WithdrawalPlayer :one
SELECT w.owner_address, w.smart_address, p.password_at,
       CAST(COALESCE(v.address, '') AS TEXT) AS verified, CAST(COALESCE(v.verified_at, 0) AS BIGINT) AS verified_at
FROM player p JOIN wallet w ON w.player_id = p.id LEFT JOIN verified_wallet v ON v.player_id = p.id
WHERE p.id = $1 AND w.stored_at > 0;

-- name: HoldingsOfOwner :many
SELECT chain_id, contract, token_id, standard, amount FROM holding WHERE owner = $1 AND amount <> '0' ORDER BY chain_id, contract, token_id;

-- name: ActiveListingsOfSeller :many
-- Those that can be bought from, now or when they become valid again.
SELECT listing_id, contract, token_id, listed FROM listing
WHERE seller = $1 AND chain_id = $2 AND status = 'active' AND end_at > sqlc.arg(now) ORDER BY created_at, id;

-- name: KnownAddresses :many
SELECT recipient AS address FROM withdrawal w WHERE w.player_id = $1 AND w.state IN ('confirmed', 'done')
UNION SELECT address FROM saved_address s WHERE s.player_id = $1;

-- name: CountOpenWithdrawals :one
SELECT COUNT(*) FROM withdrawal WHERE player_id = $1 AND state IN ('unconfirmed', 'confirmed') AND expires_at > sqlc.arg(now);

-- name: InsertWithdrawal :exec
INSERT INTO withdrawal (id, player_id, sender, recipient, own, state, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, 'unconfirmed', $6, $7);

-- name: InsertWithdrawalPart :exec
INSERT INTO withdrawal_part (id, withdrawal_id, number, chain_id, assets, state) VALUES ($1, $2, $3, $4, $5, 'open');

-- name: LockWithdrawal :exec
SELECT 1 FROM withdrawal WHERE id = $1 FOR NO KEY UPDATE;

-- name: SaveWithdrawal :exec
UPDATE withdrawal SET state = $1, reason = $2, cancel_hash = $3, ready_at = $4, expires_at = $5, told = $6 WHERE id = $7;

-- name: SaveWithdrawalPart :exec
UPDATE withdrawal_part SET state = $1, operation = $2, nonce = $3, bound_at = $4, tx_hash = $5, error = $6, settled_block = $7
WHERE id = $8;

-- name: UnfinishedWithdrawals :many
SELECT id FROM withdrawal WHERE player_id = $1 AND state IN ('unconfirmed', 'confirmed') ORDER BY id;

-- name: WithdrawalOfPart :one
SELECT withdrawal_id FROM withdrawal_part WHERE id = $1;

-- name: WithdrawalOfOperation :one
SELECT withdrawal_id FROM withdrawal_part WHERE operation = $1 AND operation <> '';

-- name: WithdrawalsSettledAfter :many
SELECT DISTINCT withdrawal_id FROM withdrawal_part WHERE chain_id = $1 AND settled_block > $2 AND settled_block > 0 ORDER BY withdrawal_id;

-- name: CountNonceUsed :one
-- Operations of a sender other than the given one that have used the nonce on the chain. The index of nonces lists those that are not
-- dropped.
SELECT COUNT(*) FROM gas_operation
WHERE chain_id = $1 AND sender = $2 AND nonce = $3 AND state <> 'dropped' AND state IN ('included', 'failed')
  AND hash <> sqlc.arg(operation);

-- name: NotePasswordChanged :exec
UPDATE player SET password_at = $1 WHERE id = $2;

-- name: WithdrawalByCancelHash :one
SELECT * FROM withdrawal WHERE cancel_hash = $1 AND cancel_hash <> '';

-- name: WithdrawalByID :one
SELECT * FROM withdrawal WHERE id = $1;

-- name: WithdrawalsOf :many
SELECT w.* FROM withdrawal w
WHERE w.player_id = $1 AND (CAST(sqlc.arg(before) AS TEXT) = ''
    OR EXISTS (SELECT 1 FROM withdrawal b WHERE b.id = sqlc.arg(before) AND b.player_id = w.player_id
        AND (w.created_at < b.created_at OR (w.created_at = b.created_at AND w.id < b.id))))
ORDER BY w.created_at DESC, w.id DESC LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ConfirmedWithdrawals :many
SELECT * FROM withdrawal WHERE player_id = $1 AND state = 'confirmed' ORDER BY created_at, id;

-- name: WithdrawalParts :many
SELECT * FROM withdrawal_part WHERE withdrawal_id = $1 ORDER BY number;

-- name: BoundParts :many
-- The assets of the parts bound since a time, without those that failed.
SELECT p.assets FROM withdrawal_part p JOIN withdrawal w ON w.id = p.withdrawal_id
WHERE w.player_id = $1 AND p.id <> sqlc.arg(except_part) AND p.bound_at > sqlc.arg(since) AND p.state <> 'failed';

-- name: ExpiredWithdrawals :many
SELECT id FROM withdrawal w WHERE w.state IN ('unconfirmed', 'confirmed') AND w.expires_at <= sqlc.arg(now)
  AND NOT EXISTS (SELECT 1 FROM withdrawal_part p WHERE p.withdrawal_id = w.id AND p.state = 'sending') LIMIT 100;

-- name: ReadyWithdrawals :many
SELECT * FROM withdrawal WHERE told = 0 AND ready_at <= sqlc.arg(now) AND state = 'confirmed'
ORDER BY ready_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: SavedAddresses :many
SELECT address, label FROM saved_address WHERE player_id = $1 ORDER BY label, address;

-- name: CountSavedAddresses :one
SELECT COUNT(*) FROM saved_address WHERE player_id = $1 AND address <> sqlc.arg(except_address);

-- name: IsSavedAddress :one
SELECT COUNT(*) FROM saved_address WHERE player_id = $1 AND address = $2;

-- name: SaveAddress :exec
INSERT INTO saved_address (player_id, address, label, saved_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (player_id, address) DO UPDATE SET label = excluded.label;

-- name: ForgetAddress :execrows
DELETE FROM saved_address WHERE player_id = $1 AND address = $2;

-- name: MoneyMovements :many
-- ERC-20 transfers from or to a wallet, newest first, from below a position on. Sales and parts tell what a transfer was for.
SELECT x.chain_id, x.block_number, x.log_index, x.tx_hash, x.time, x.contract, x.from_address, x.to_address, x.amount,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM sale s WHERE s.chain_id = x.chain_id AND s.tx_hash = x.tx_hash AND s.buyer = x.from_address) THEN 1 ELSE 0 END AS BIGINT) AS bought,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM sale s WHERE s.chain_id = x.chain_id AND s.tx_hash = x.tx_hash AND s.seller = x.to_address) THEN 1 ELSE 0 END AS BIGINT) AS sold,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM withdrawal_part p JOIN withdrawal w ON w.id = p.withdrawal_id
            WHERE p.tx_hash = x.tx_hash AND p.tx_hash <> '' AND w.sender = x.from_address) THEN 1 ELSE 0 END AS BIGINT) AS withdrawn
FROM token_transfer x
WHERE x.chain_id = $1 AND x.standard = 'erc20' AND (x.from_address = sqlc.arg(wallet) OR x.to_address = sqlc.arg(wallet))
  AND (x.block_number < sqlc.arg(before_block) OR (x.block_number = sqlc.arg(before_block) AND x.log_index < sqlc.arg(before_log)))
ORDER BY x.block_number DESC, x.log_index DESC LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ListedFor :many
-- What a seller asks for what can be bought now or later.
SELECT price, quantity FROM listing WHERE seller = $1 AND chain_id = $2 AND currency = $3 AND valid = 1 AND end_at > sqlc.arg(now);

-- name: PaidInOrders :many
-- The totals of a player's orders that are being paid.
SELECT total FROM purchase_order WHERE player_id = $1 AND chain_id = $2 AND currency = $3 AND state IN ('submitted', 'confirming');
