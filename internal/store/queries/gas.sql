-- name: InsertGasTransaction :execrows
INSERT INTO gas_transaction (id, chain_id, sender, target, value, data, gas_limit, state, created_at, updated_at, trace)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $8, $9) ON CONFLICT (id) DO NOTHING;

-- name: GasTransaction :one
SELECT * FROM gas_transaction WHERE id = $1;

-- name: PendingGasTransactions :many
SELECT * FROM gas_transaction WHERE chain_id = $1 AND sender = $2 AND state = 'pending'
ORDER BY created_at, id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: PendingGasSenders :many
SELECT DISTINCT sender FROM gas_transaction WHERE chain_id = $1 AND state = 'pending';

-- name: SentGasTransactions :many
SELECT * FROM gas_transaction WHERE chain_id = $1 AND state = 'sent' ORDER BY sender, nonce;

-- name: MinedGasTransactions :many
SELECT * FROM gas_transaction WHERE chain_id = $1 AND block_hash <> '' AND final = 0 ORDER BY block_number, nonce;

-- name: GasAttempts :many
SELECT * FROM gas_attempt WHERE transaction_id = $1 ORDER BY seq;

-- name: GasNonce :one
SELECT next_nonce FROM gas_sender WHERE chain_id = $1 AND address = $2;

-- name: RaiseGasNonce :exec
INSERT INTO gas_sender (chain_id, address, next_nonce, known_block) VALUES ($1, $2, $3, $4)
ON CONFLICT (chain_id, address) DO UPDATE SET next_nonce = excluded.next_nonce, known_block = excluded.known_block
WHERE gas_sender.next_nonce < excluded.next_nonce;

-- name: TakeGasNonce :execrows
INSERT INTO gas_sender (chain_id, address, next_nonce) VALUES ($1, $2, sqlc.arg(nonce) + 1)
ON CONFLICT (chain_id, address) DO UPDATE SET next_nonce = excluded.next_nonce
WHERE gas_sender.next_nonce = CAST(sqlc.arg(nonce) AS BIGINT);

-- Nonces ascend with blocks.
-- name: KnownBlock :one
SELECT known_block FROM gas_sender WHERE chain_id = $1 AND address = $2;

-- name: LastMinedBlock :one
SELECT block_number FROM gas_transaction
WHERE chain_id = $1 AND sender = $2 AND nonce >= 0 AND nonce < CAST(sqlc.arg(below) AS BIGINT) AND block_hash <> ''
ORDER BY nonce DESC LIMIT 1;

-- name: InsertRecovered :exec
INSERT INTO gas_recovered (chain_id, sender, nonce, tag, tx_hash, raw) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (chain_id, sender, nonce) DO UPDATE SET tag = excluded.tag, tx_hash = excluded.tx_hash, raw = excluded.raw;

-- name: RecoveredByTag :one
SELECT * FROM gas_recovered WHERE chain_id = $1 AND tag = $2 ORDER BY nonce LIMIT 1;

-- name: RecoveredByNonce :one
SELECT * FROM gas_recovered WHERE chain_id = $1 AND sender = $2 AND nonce = $3;

-- name: GasSenders :many
SELECT address FROM gas_sender WHERE chain_id = $1;

-- name: DropRecovered :exec
DELETE FROM gas_recovered WHERE chain_id = $1 AND sender = $2 AND nonce = $3;

-- name: RecoverGasTransaction :execrows
UPDATE gas_transaction SET state = 'sent', sender = $1, nonce = $2, tx_hash = $3, updated_at = $4 WHERE id = $5 AND state = 'pending';

-- name: SignGasTransaction :execrows
UPDATE gas_transaction SET state = 'sent', nonce = $1, tx_hash = $2, updated_at = $3 WHERE id = $4 AND state = 'pending';

-- name: ResignGasTransaction :execrows
UPDATE gas_transaction SET tx_hash = $1, updated_at = $2 WHERE id = $3 AND state = 'sent';

-- name: InsertGasAttempt :exec
INSERT INTO gas_attempt (tx_hash, transaction_id, seq, raw, fee_cap, tip_cap, at_block, created_at)
VALUES ($1, sqlc.arg(transaction_id), (SELECT COUNT(*) FROM gas_attempt AS a WHERE a.transaction_id = sqlc.arg(transaction_id)), $2, $3, $4, $5, $6);

-- name: MineGasTransaction :execrows
UPDATE gas_transaction SET state = $1, tx_hash = $2, block_hash = $3, block_number = $4, reason = $5, updated_at = $6
WHERE id = $7 AND state = 'sent';

-- name: UnmineGasTransaction :execrows
UPDATE gas_transaction SET state = 'sent', block_hash = '', block_number = 0, reason = '', final = 0, updated_at = $1
WHERE id = $2 AND block_hash <> '';

-- name: AbandonGasTransaction :execrows
UPDATE gas_transaction SET state = 'failed', reason = $1, updated_at = $2 WHERE id = $3 AND state IN ('pending', 'sent');

-- name: CountGasTransactionsToFinalise :one
SELECT COUNT(*) FROM gas_transaction WHERE chain_id = $1 AND block_hash <> '' AND final = 0 AND block_number <= $2;

-- name: FinaliseGasTransactions :exec
UPDATE gas_transaction SET final = 1 WHERE chain_id = $1 AND block_hash <> '' AND final = 0 AND block_number <= $2;

-- name: InsertGasOperation :execrows
INSERT INTO gas_operation (hash, chain_id, entry_point, player_id, sender, nonce, operation, state, created_at, updated_at, trace)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $8, $9) ON CONFLICT DO NOTHING;

-- name: GasOperation :one
SELECT * FROM gas_operation WHERE hash = $1;

-- name: QueuedGasOperations :many
SELECT * FROM gas_operation AS o WHERE o.chain_id = $1 AND o.state = 'queued' AND o.bundle = '' AND NOT EXISTS (
    SELECT 1 FROM gas_operation AS b WHERE b.chain_id = o.chain_id AND b.sender = o.sender AND b.state <> 'dropped'
        AND (b.state = 'sent' OR (b.state = 'queued' AND b.bundle <> '')))
ORDER BY o.created_at, o.hash LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: FrozenGasOperations :many
SELECT * FROM gas_operation AS o WHERE o.chain_id = $1 AND o.state = 'queued' AND o.bundle = ''
  AND EXISTS (SELECT 1 FROM player AS p WHERE p.id = o.player_id AND p.frozen_at > 0) AND o.operation NOT LIKE sqlc.arg(cancellation)
ORDER BY o.created_at, o.hash LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: BundleGasOperation :execrows
UPDATE gas_operation SET bundle = $1 WHERE hash = $2 AND state = 'queued' AND bundle = '';

-- name: SendGasOperations :exec
UPDATE gas_operation SET state = 'sent', tx_hash = $1, untold = 1, updated_at = $2 WHERE bundle = $3 AND bundle <> '' AND state IN ('queued', 'sent');

-- name: UnsettledGasBundles :many
SELECT * FROM gas_transaction WHERE gas_transaction.block_hash <> '' AND gas_transaction.id IN
    (SELECT o.bundle FROM gas_operation AS o WHERE o.chain_id = $1 AND o.state = 'sent')
ORDER BY gas_transaction.block_number, gas_transaction.nonce;

-- name: SentGasOperations :many
SELECT * FROM gas_operation WHERE bundle = $1 AND bundle <> '' AND state = 'sent' ORDER BY created_at, hash;

-- name: SettleGasOperation :exec
UPDATE gas_operation SET state = $1, reason = $2, tx_hash = $3, block_hash = $4, untold = 1, updated_at = $5
WHERE hash = $6 AND state IN ('queued', 'sent');

-- name: UnsettleGasOperations :exec
UPDATE gas_operation SET state = 'sent', reason = '', block_hash = '', untold = 1, updated_at = $1
WHERE bundle = $2 AND bundle <> '' AND state IN ('included', 'failed');

-- name: RequeueGasOperation :exec
UPDATE gas_operation SET state = 'queued', bundle = '', tx_hash = '', reverts = reverts + 1, untold = 1, updated_at = $1
WHERE hash = $2 AND state = 'sent';

-- name: RequeueGasOperations :exec
UPDATE gas_operation SET state = 'queued', bundle = '', tx_hash = '', untold = 1, updated_at = $1
WHERE bundle = $2 AND bundle <> '' AND state IN ('queued', 'sent');

-- name: DropGasOperation :execrows
UPDATE gas_operation SET state = 'dropped', reason = $1, bundle = '', untold = 1, updated_at = $2
WHERE hash = $3 AND (state = 'queued' AND bundle = '' OR state IN ('queued', 'sent') AND bundle = 'bundler');

-- name: HandedGasOperations :many
-- With the transaction that includes each, as the index has it; '' for none.
SELECT sqlc.embed(o), CAST(COALESCE((
    SELECT e.tx_hash FROM user_operation_event e WHERE e.chain_id = o.chain_id AND e.op_hash = o.hash LIMIT 1
), '') AS TEXT) AS included
FROM gas_operation o WHERE o.chain_id = $1 AND o.bundle = 'bundler' AND o.bundle <> '' ORDER BY o.created_at, o.hash;

-- name: TakeGasOperation :exec
UPDATE gas_operation SET state = 'sent', untold = 1, updated_at = $1 WHERE hash = $2 AND state = 'queued' AND bundle = 'bundler';

-- name: UnsettleGasOperation :exec
UPDATE gas_operation SET state = 'sent', reason = '', block_hash = '', untold = 1, updated_at = $1
WHERE hash = $2 AND bundle = 'bundler' AND state IN ('included', 'failed');

-- name: FinaliseGasOperation :exec
UPDATE gas_operation SET bundle = '' WHERE hash = $1 AND bundle = 'bundler' AND state IN ('included', 'failed');

-- name: TakeBackGasOperations :exec
UPDATE gas_operation SET state = 'queued', bundle = '', tx_hash = '', untold = 1, updated_at = $1
WHERE gas_operation.chain_id = $2 AND bundle = 'bundler' AND bundle <> '' AND state IN ('queued', 'sent')
  AND NOT EXISTS (SELECT 1 FROM user_operation_event e WHERE e.chain_id = gas_operation.chain_id AND e.op_hash = gas_operation.hash);

-- name: UntoldGasOperations :many
SELECT * FROM gas_operation WHERE chain_id = $1 AND untold = 1 ORDER BY updated_at, hash LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: TellGasOperation :exec
UPDATE gas_operation SET told = $1, untold = CASE WHEN state = $3 AND tx_hash = $4 THEN 0 ELSE 1 END WHERE hash = $2;

-- name: CountTransactions :many
SELECT sender, COUNT(*) AS waiting, CAST(MIN(created_at) AS BIGINT) AS oldest FROM gas_transaction
WHERE chain_id = $1 AND state = 'pending' GROUP BY sender;

-- name: CountSentTransactions :many
SELECT sender, COUNT(*) AS waiting, CAST(MIN(created_at) AS BIGINT) AS oldest FROM gas_transaction
WHERE chain_id = $1 AND state = 'sent' GROUP BY sender;

-- name: CountQueuedOperations :one
SELECT COUNT(*) AS waiting, CAST(COALESCE(MIN(created_at), 0) AS BIGINT) AS oldest FROM gas_operation
WHERE chain_id = $1 AND (state = 'queued' AND bundle = '' OR bundle = 'bundler' AND bundle <> '' AND state IN ('queued', 'sent'));

-- name: TraceOfTransaction :one
-- The trace of an account's operation in a transaction.
SELECT trace FROM gas_operation WHERE chain_id = $1 AND sender = $2 AND tx_hash = $3 AND state <> 'dropped' LIMIT 1;
