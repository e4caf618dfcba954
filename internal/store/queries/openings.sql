-- name: UnsettledBurns :many
-- A row's entry is the one at the cursor or after it.
SELECT sqlc.embed(t), CAST(COALESCE(b.hash, '') AS TEXT) AS block_hash
FROM token_transfer t LEFT JOIN chain_block b ON b.chain_id = t.chain_id AND b.number = t.block_number
WHERE t.chain_id = sqlc.arg(chain_id) AND t.to_address = '0x0000000000000000000000000000000000000000' AND t.standard <> 'erc20'
  AND t.block_number <= sqlc.arg(up_to)
  AND (t.block_number, t.log_index, t.sub_index) >= (CAST(sqlc.arg(from_block) AS BIGINT), CAST(sqlc.arg(from_log) AS BIGINT), CAST(sqlc.arg(from_sub) AS BIGINT))
ORDER BY t.block_number, t.log_index, t.sub_index LIMIT $1;

-- name: UnsettledBurnsOf :many
-- The newest burns by a wallet that are not settled yet.
SELECT t.* FROM token_transfer t JOIN chain_cursor c ON c.chain_id = t.chain_id
WHERE t.from_address = sqlc.arg(wallet) AND t.to_address = '0x0000000000000000000000000000000000000000' AND t.standard <> 'erc20'
  AND (t.block_number, t.log_index, t.sub_index) >= (c.settled_block, c.settled_log, c.settled_sub)
ORDER BY t.time DESC LIMIT $1;

-- name: TransferEntries :many
-- The entries of one log, in order.
SELECT * FROM token_transfer WHERE chain_id = $1 AND block_number = $2 AND log_index = $3 ORDER BY sub_index;

-- name: MoveSettled :execrows
UPDATE chain_cursor SET settled_block = sqlc.arg(to_block), settled_log = sqlc.arg(to_log), settled_sub = sqlc.arg(to_sub), settled_copies = sqlc.arg(to_copies)
WHERE chain_id = sqlc.arg(chain_id) AND settled_block = sqlc.arg(from_block) AND settled_log = sqlc.arg(from_log)
  AND settled_sub = sqlc.arg(from_sub) AND settled_copies = sqlc.arg(from_copies);

-- name: LockSettling :exec
-- Locks one chain, or all chains for 0.
UPDATE chain_cursor SET settled_copies = settled_copies WHERE CAST(sqlc.arg(chain_id) AS BIGINT) IN (0, chain_id);

-- name: RewindSettled :exec
UPDATE chain_cursor SET settled_block = sqlc.arg(to_block), settled_log = 0, settled_sub = 0, settled_copies = 0
WHERE chain_id = sqlc.arg(chain_id) AND settled_block >= sqlc.arg(to_block);

-- name: SkipSettled :exec
UPDATE chain_cursor SET settled_block = sqlc.arg(to_block), settled_log = 0, settled_sub = 0, settled_copies = 0
WHERE chain_id = sqlc.arg(chain_id) AND settled_block < sqlc.arg(to_block);

-- name: LockOpenings :exec
UPDATE opening_lock SET held = held;

-- name: LastPlace :one
SELECT CAST(COALESCE(MAX(place), 0) AS BIGINT) AS place FROM opening;

-- name: LastRecord :one
SELECT * FROM payment_record WHERE number = (SELECT MAX(number) FROM payment_record);

-- name: InsertPaymentRecord :exec
INSERT INTO payment_record (number, opening_id, kind, edition, table_hash, nonce, recorded_at, previous, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: PaymentRecords :many
SELECT * FROM payment_record WHERE number > sqlc.arg(after) ORDER BY number LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: FinalRecordAnchors :many
SELECT * FROM record_anchor WHERE final = 1 AND number >= sqlc.arg(from_number) ORDER BY number LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: OpenRecordAnchors :many
SELECT * FROM record_anchor WHERE final = 0 ORDER BY number;

-- name: LastRecordAnchor :one
SELECT * FROM record_anchor WHERE number = (SELECT MAX(number) FROM record_anchor);

-- name: InsertRecordAnchor :exec
INSERT INTO record_anchor (number, hash, begun_at) VALUES ($1, $2, $3) ON CONFLICT (number) DO NOTHING;

-- name: RecordAnchor :one
SELECT * FROM record_anchor WHERE number = $1;

-- name: DeleteRecordAnchor :exec
DELETE FROM record_anchor WHERE number = $1 AND final = 0;

-- name: MoveRecordAnchor :execrows
-- What is final stays.
UPDATE record_anchor SET begun_at = $1, attempts = $2, chain_id = $3, wallet = $4, tx_hash = $5, block = $6, final = $7, block_hash = $8, block_time = $9,
  margin = $10
WHERE number = $11 AND final = 0;

-- name: AnchorOpenings :exec
-- The openings of records up to a number that no earlier anchor covers.
UPDATE opening SET anchor = sqlc.arg(anchor), round = sqlc.arg(round) WHERE record > 0 AND record <= sqlc.arg(anchor) AND anchor = 0;

-- name: OldestUnanchored :one
-- When the oldest record was made that no anchor covers which is in a block; 0 for none.
SELECT CAST(COALESCE((SELECT r.recorded_at FROM payment_record r
  WHERE r.number > COALESCE((SELECT MAX(a.number) FROM record_anchor a WHERE a.tx_hash <> ''), 0)
  ORDER BY r.number LIMIT 1), 0) AS BIGINT) AS recorded_at;

-- name: OpeningsFrom :many
-- In the order of their places.
SELECT id, kind, edition, wallet, place, drawn_at, error FROM opening WHERE place > sqlc.arg(after) ORDER BY place LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: OpeningsOfKindFrom :many
SELECT id, kind, edition, wallet, place, drawn_at, error FROM opening WHERE kind = sqlc.arg(kind) AND place > sqlc.arg(after)
ORDER BY place LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: InsertOpening :execrows
INSERT INTO opening (id, kind, edition, wallet, chain_id, contract, token_id, tx_hash, log_index, number, block_number, block_hash, block_time, margin, place, round)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (id) DO NOTHING;

-- name: InsertPurchaseOpening :execrows
INSERT INTO opening (id, kind, edition, wallet, chain_id, contract, token_id, tx_hash, log_index, number, block_number, block_hash, block_time, margin,
  shop, shop_order, shop_line, shop_unit, nonce, record, place, round)
VALUES ($1, $2, $3, '', 0, '', '', '', 0, 0, 0, '', $4, 0, $5, $6, $7, $8, $9, $10, $11, 0) ON CONFLICT (id) DO NOTHING;

-- name: UnknownPacks :many
-- The tokens of what was burned before their tables were known.
SELECT DISTINCT token_id FROM opening WHERE kind = '' ORDER BY token_id;

-- name: UnknownOpenings :many
SELECT id FROM opening WHERE kind = '' AND token_id = $1 ORDER BY place;

-- name: KnowOpening :exec
UPDATE opening SET kind = $1, edition = $2, place = $3 WHERE id = $4 AND kind = '';

-- name: WaitingOpenings :many
-- The first of each kind, with the time before which nothing of a purchase's is given that can change hands.
SELECT sqlc.embed(o), CAST(COALESCE(l.give_at, 0) AS BIGINT) AS give_at
FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY place) AS number FROM opening WHERE drawn_at = 0 AND error = '' AND kind <> '') w
JOIN opening o ON o.id = w.id
LEFT JOIN shop_line l ON o.shop <> '' AND l.order_id = o.shop_order AND l.id = o.shop_line
WHERE w.number <= CAST(sqlc.arg(most) AS BIGINT)
ORDER BY o.kind, o.place;

-- name: OpeningsWaitingBefore :one
SELECT COUNT(*) FROM opening WHERE kind = $1 AND drawn_at = 0 AND error = '' AND place < $2;

-- name: RanksOf :many
-- The rarities of what a wallet has drawn of a kind before, the newest first.
SELECT rank FROM opening WHERE wallet = $1 AND kind = $2 AND place < $3 AND drawn_at > 0 ORDER BY place DESC LIMIT $4;

-- name: ItemsGiven :many
SELECT item, units FROM item_given WHERE kind = $1;

-- name: GiveItem :exec
INSERT INTO item_given (kind, item, units) VALUES ($1, $2, $3)
ON CONFLICT (kind, item) DO UPDATE SET units = item_given.units + excluded.units;

-- name: AllItemsGiven :many
SELECT * FROM item_given;

-- name: DrawOpening :execrows
UPDATE opening SET drop_id = $1, rank = $2, receipt = $3, drawn_at = sqlc.arg(at)
WHERE id = $4 AND drawn_at = 0 AND error = '';

-- name: FailOpening :execrows
UPDATE opening SET error = $1 WHERE id = $2 AND drawn_at = 0 AND error = '';

-- name: CountDrop :exec
INSERT INTO drop_count (kind, edition, drop_id, drawn, hit) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (kind, edition, drop_id) DO UPDATE SET drawn = drop_count.drawn + excluded.drawn, hit = drop_count.hit + excluded.hit;

-- name: DropCounts :many
SELECT * FROM drop_count ORDER BY kind, edition, drop_id;

-- name: OpeningsWaiting :many
SELECT kind, COUNT(*) AS waiting, CAST(MIN(block_time) AS BIGINT) AS since FROM opening WHERE drawn_at = 0 AND error = '' GROUP BY kind;

-- name: Opening :one
SELECT * FROM opening WHERE id = $1;

-- name: DropTables :many
SELECT * FROM drop_table ORDER BY kind, edition;

-- name: InsertDropTable :exec
INSERT INTO drop_table (kind, edition, canonical, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (kind, edition) DO NOTHING;

-- name: OpeningIDs :many
SELECT id FROM opening ORDER BY place;

-- name: TableAnchors :many
SELECT * FROM table_anchor ORDER BY hash;

-- name: InsertTableAnchor :exec
INSERT INTO table_anchor (hash, chain_id, wallet, tx_hash, block, block_time) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING;
