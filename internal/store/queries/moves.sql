-- name: Moves :many
SELECT * FROM chain_move ORDER BY from_chain;

-- name: Move :one
SELECT * FROM chain_move WHERE from_chain = $1;

-- name: InsertMove :execrows
INSERT INTO chain_move (from_chain, state, frozen_at, factory, currency, main) VALUES ($1, 'frozen', $2, $3, $4, $5) ON CONFLICT (from_chain) DO NOTHING;

-- name: DeleteMove :execrows
DELETE FROM chain_move WHERE from_chain = $1 AND state <> 'moved';

-- name: NoteMove :exec
UPDATE chain_move SET waits = $1 WHERE from_chain = $2 AND waits <> $1;

-- name: ChooseMoveBlock :exec
UPDATE chain_move SET block_number = $1, block_hash = $2, block_time = $3 WHERE from_chain = $4 AND state = 'frozen';

-- name: FinishSnapshot :execrows
UPDATE chain_move SET state = 'snapshotted', snapshot_hash = $1, snapshot_at = $2, holdings = $3, waits = ''
WHERE from_chain = $4 AND state = 'frozen' AND block_hash = $5;

-- name: RetakeSnapshot :execrows
UPDATE chain_move SET state = 'frozen', snapshot_hash = '', snapshot_at = 0, holdings = 0, block_number = -1, block_hash = '', block_time = 0
WHERE from_chain = $1 AND state = 'snapshotted';

-- name: MoveTraffic :one
-- What is on its way to a chain.
SELECT CAST((SELECT COUNT(*) FROM gas_operation o WHERE o.chain_id = sqlc.arg(chain_id) AND o.state = 'queued' AND o.bundle = '')
     + (SELECT COUNT(*) FROM gas_operation b WHERE b.chain_id = sqlc.arg(chain_id) AND b.bundle = 'bundler' AND b.bundle <> '' AND b.state = 'queued')
     + (SELECT COUNT(*) FROM gas_operation s WHERE s.chain_id = sqlc.arg(chain_id) AND s.state = 'sent') AS BIGINT) AS operations,
  CAST((SELECT COUNT(*) FROM gas_transaction p WHERE p.chain_id = sqlc.arg(chain_id) AND p.state = 'pending')
     + (SELECT COUNT(*) FROM gas_transaction t WHERE t.chain_id = sqlc.arg(chain_id) AND t.state = 'sent') AS BIGINT) AS transactions;

-- name: DeleteMoveSupplies :exec
DELETE FROM move_supply WHERE from_chain = $1;

-- name: DeleteMoveHoldings :exec
DELETE FROM move_holding WHERE from_chain = $1;

-- name: InsertMoveSupply :exec
INSERT INTO move_supply (from_chain, contract, token_id, standard, collection, minted, burned, cap) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: MoveSupplies :many
SELECT * FROM move_supply WHERE from_chain = $1 ORDER BY collection, contract, LENGTH(token_id), token_id;

-- name: MoveHoldings :many
SELECT * FROM move_holding WHERE from_chain = $1 AND position > CAST(sqlc.arg(after) AS BIGINT) ORDER BY position LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: UnsettledBurnsUpTo :one
SELECT COUNT(*) FROM token_transfer
WHERE chain_id = $1 AND to_address = '0x0000000000000000000000000000000000000000' AND standard <> 'erc20'
  AND (block_number, log_index, sub_index) >= (sqlc.arg(from_block), sqlc.arg(from_log), sqlc.arg(from_sub)) AND block_number <= sqlc.arg(up_to);

-- name: PortalMovesAfter :one
-- How many of a chain's tokens were moved after a block by transactions of the portal's wallets, or in ones with operations of players.
SELECT CAST((SELECT COUNT(*) FROM token_transfer o WHERE o.chain_id = sqlc.arg(chain_id) AND o.block_number > sqlc.arg(block_number)
    AND o.contract IN (SELECT n.contract FROM move_supply n WHERE n.from_chain = o.chain_id)
    AND EXISTS (SELECT 1 FROM user_operation_event e WHERE e.chain_id = o.chain_id AND e.block_number = o.block_number AND e.tx_hash = o.tx_hash))
  + (SELECT COUNT(*) FROM gas_transaction g JOIN token_transfer x ON x.chain_id = g.chain_id AND x.block_number = g.block_number AND x.tx_hash = g.tx_hash
WHERE g.chain_id = sqlc.arg(chain_id) AND g.block_number > sqlc.arg(block_number) AND g.block_hash <> ''
  AND x.contract IN (SELECT m.contract FROM move_supply m WHERE m.from_chain = g.chain_id)) AS BIGINT) AS moved;

-- name: CapsOf :many
SELECT token_id, max_supply FROM supply_cap WHERE chain_id = $1 AND contract = $2 ORDER BY block_number, log_index;

-- name: UnitsHeldOn :many
SELECT h.player_id, h.unit, h.order_id, l.id, l.listing_id, l.contract
FROM cart_hold h CROSS JOIN listing l WHERE l.id = h.listing_id AND l.chain_id = $1 ORDER BY l.id, h.unit;

-- name: UnpaidOrdersOn :many
SELECT id FROM purchase_order WHERE chain_id = $1 AND state = 'awaiting-payment' AND expires_at > 0 ORDER BY expires_at;

-- name: CountClaimed :one
SELECT COUNT(*) FROM move_holding WHERE from_chain = $1 AND claimed_at > 0;

-- name: FinishMove :execrows
UPDATE chain_move SET state = 'moved', to_chain = $1, moved_at = $2 WHERE from_chain = $3 AND state = 'snapshotted';

-- name: SetMoveContract :exec
UPDATE move_supply SET to_contract = CAST(sqlc.arg(to_contract) AS TEXT) WHERE from_chain = sqlc.arg(from_chain) AND contract = sqlc.arg(contract);

-- name: LastMinedOn :one
SELECT CAST(COALESCE(MAX(block_number), 0) AS BIGINT) FROM gas_transaction WHERE chain_id = $1 AND block_hash <> '';

-- name: CountUnfinalAnchors :one
-- Anchors on a chain whose block is not final yet.
SELECT COUNT(*) FROM record_anchor r WHERE r.final = 0 AND EXISTS (SELECT 1 FROM gas_transaction g
  WHERE g.chain_id = $1 AND g.id IN ('records/' || r.number, 'records/' || r.number || '~' || r.attempts));

-- name: UngivenGrants :many
-- Grants of tokens that are not given, after one, and whether each has a transaction.
SELECT g.source, g.number, g.redone, g.state, g.detail, g.contract FROM reward_grant g
WHERE (g.source, g.number) > (sqlc.arg(source), CAST(sqlc.arg(number) AS BIGINT)) AND g.state IN ('pending', 'sending', 'failed') AND g.kind <> 'currency'
ORDER BY g.source, g.number LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: RedirectGrant :exec
UPDATE reward_grant SET detail = $1, contract = $2, state = $3, due_at = CASE WHEN due_at < 9223372036854775807 THEN not_before ELSE due_at END
WHERE source = $4 AND number = $5;

-- name: RedirectVaultClaims :exec
UPDATE vault_claim SET contract = sqlc.arg(to_contract) WHERE vault_claim.contract = sqlc.arg(from_contract);

-- name: RedirectSales :exec
UPDATE sale SET contract = sqlc.arg(to_contract) WHERE sale.chain_id = sqlc.arg(chain_id) AND sale.contract = sqlc.arg(from_contract);

-- name: RedirectNotifications :exec
UPDATE notification SET contract = sqlc.arg(to_contract) WHERE notification.contract = sqlc.arg(from_contract);

-- name: ListingsOfPlayersOn :many
SELECT l.id, l.listing_id, l.contract, l.token_id, l.quantity, l.price, w.player_id
FROM listing l JOIN wallet w ON w.smart_address = l.seller
WHERE l.chain_id = $1 AND l.status = 'active' AND l.end_at > sqlc.arg(now) AND l.id > CAST(sqlc.arg(after) AS TEXT)
ORDER BY l.id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DropChainCursor :exec
DELETE FROM chain_cursor WHERE chain_id = $1;

-- name: WithdrawalsOn :many
-- Those of which nothing was sent.
SELECT DISTINCT w.id FROM withdrawal w JOIN withdrawal_part p ON p.withdrawal_id = w.id
WHERE p.chain_id = $1 AND p.state = 'open' AND w.state IN ('unconfirmed', 'confirmed')
  AND NOT EXISTS (SELECT 1 FROM withdrawal_part s WHERE s.withdrawal_id = w.id AND s.state <> 'open') ORDER BY w.id;

-- name: EndWithdrawal :exec
UPDATE withdrawal SET state = 'cancelled', reason = $1, cancel_hash = '', told = 1 WHERE id = $2 AND state IN ('unconfirmed', 'confirmed');

-- name: ForeignOwners :many
-- Owners after one that are no smart wallets of players.
SELECT DISTINCT h.owner FROM move_holding h
WHERE h.from_chain = $1 AND h.owner > CAST(sqlc.arg(after) AS TEXT) AND NOT EXISTS (SELECT 1 FROM wallet w WHERE w.smart_address = h.owner)
ORDER BY h.owner LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: MarkForeignContract :exec
UPDATE move_holding SET foreign_contract = 1 WHERE from_chain = $1 AND owner = $2;

-- name: UnclaimedHoldings :many
SELECT * FROM move_holding
WHERE from_chain = $1 AND owner = $2 AND claimed_at = 0 AND position > CAST(sqlc.arg(after) AS BIGINT)
ORDER BY position LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: MoveHoldingsOfOwner :many
-- The holdings of a wallet, unclaimed ones first, with the states of their rewards.
SELECT sqlc.embed(h), CAST(COALESCE(r.state, '') AS TEXT) AS reward_state
FROM move_holding h LEFT JOIN reward r ON r.source = 'move/' || h.from_chain || '/' || h.position
WHERE h.from_chain = $1 AND h.owner = $2
ORDER BY CASE WHEN h.claimed_at = 0 THEN 0 ELSE 1 END, h.position LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: ClaimHolding :execrows
UPDATE move_holding SET claimed_at = $1 WHERE from_chain = $2 AND position = $3 AND claimed_at = 0;

-- name: MoveContracts :many
SELECT DISTINCT contract, standard, collection, to_contract FROM move_supply WHERE from_chain = $1 ORDER BY collection, contract;

-- name: VerifiedWalletSince :one
SELECT chain_id, verified_at FROM verified_wallet WHERE player_id = $1;

-- name: ClaimedHoldings :many
-- A deleted player's rewards are gone.
SELECT sqlc.embed(h), CAST(CASE WHEN COALESCE(r.state, 'done') = 'done' THEN 1 ELSE 0 END AS BIGINT) AS given
FROM move_holding h LEFT JOIN reward r ON r.source = 'move/' || h.from_chain || '/' || h.position
WHERE h.from_chain = $1 AND h.claimed_at > 0 AND h.position > CAST(sqlc.arg(after) AS BIGINT)
ORDER BY h.position LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: FormerTables :many
-- The drop tables that the contracts have fixed on other chains in whose place a contract is.
SELECT t.* FROM chain_move m JOIN move_supply s ON s.from_chain = m.from_chain JOIN token_table t
    ON t.chain_id = s.from_chain AND t.contract = s.contract AND t.token_id = s.token_id
WHERE m.state = 'moved' AND s.to_contract = CAST(sqlc.arg(contract) AS TEXT) ORDER BY t.time;

-- name: FollowMove :exec
-- Earlier moves to a chain that is left are moves to the next one.
UPDATE chain_move SET to_chain = sqlc.arg(to_chain) WHERE chain_move.to_chain = sqlc.arg(left_chain) AND state = 'moved' AND from_chain <> sqlc.arg(left_chain);

-- name: FollowContract :exec
UPDATE move_supply SET to_contract = CAST(sqlc.arg(to_contract) AS TEXT)
WHERE move_supply.to_contract = CAST(sqlc.arg(left_contract) AS TEXT) AND move_supply.from_chain <> sqlc.arg(left_chain);

-- name: RedirectCurrency :exec
UPDATE sale SET currency = sqlc.arg(to_currency) WHERE sale.chain_id = sqlc.arg(chain_id) AND sale.currency = sqlc.arg(from_currency);

-- name: UnbindDebts :exec
-- Unpaid debts lose their operation on the old chain, so that they can be paid on the new one.
UPDATE shop_debt SET operation = '', nonce = '', chain_id = 0, paying = 0, in_flight = 0
WHERE shop_debt.chain_id = $1 AND state IN ('sending', 'open') AND settled_block = 0;

-- name: SetMoveCap :exec
UPDATE move_supply SET cap = $1 WHERE from_chain = $2 AND contract = $3;

-- name: HasUnclaimed :one
SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM move_holding WHERE from_chain = $1 AND owner = $2 AND claimed_at = 0) THEN 1 ELSE 0 END AS BIGINT);
