-- name: ChainCursor :one
SELECT * FROM chain_cursor WHERE chain_id = $1;

-- name: InsertChainCursor :exec
INSERT INTO chain_cursor (chain_id, block_number, block_hash, block_time, sources) VALUES ($1, -1, '', 0, $2)
ON CONFLICT (chain_id) DO NOTHING;

-- name: AdvanceChainCursor :execrows
UPDATE chain_cursor SET block_number = sqlc.arg(block_number), block_hash = sqlc.arg(block_hash), block_time = sqlc.arg(block_time)
WHERE chain_id = sqlc.arg(chain_id) AND generation = sqlc.arg(generation)
  AND (block_number = -1 OR (block_number = sqlc.arg(parent_number) AND block_hash = sqlc.arg(parent_hash)));

-- name: RewindChainCursor :execrows
UPDATE chain_cursor SET block_number = sqlc.arg(block_number), block_hash = sqlc.arg(block_hash), block_time = sqlc.arg(block_time)
WHERE chain_id = sqlc.arg(chain_id) AND block_number > sqlc.arg(block_number);

-- name: ResetChainCursor :exec
UPDATE chain_cursor SET block_number = -1, block_hash = '', block_time = 0, base = '', generation = generation + 1 WHERE chain_id = $1;

-- name: LockChainCursor :one
UPDATE chain_cursor SET block_number = block_number WHERE chain_id = $1 RETURNING block_number, block_hash;

-- name: ReplaceChainCursor :exec
UPDATE chain_cursor SET block_number = $1, block_hash = $2, block_time = $3, base = $4, sources = $5, generation = generation + 1
WHERE chain_id = $6;

-- Operations that something waits for.
-- name: WaitingOperations :many
SELECT o.user_op_hash FROM purchase_order o WHERE o.user_op_hash <> '' AND o.chain_id = $1 AND o.settled_block = 0
UNION ALL SELECT p.operation FROM withdrawal_part p WHERE p.operation <> '' AND p.chain_id = $1 AND p.settled_block = 0
UNION ALL SELECT d.operation FROM shop_debt d WHERE d.operation <> '' AND d.chain_id = $1 AND d.settled_block = 0;

-- name: SalesOfTransaction :many
SELECT * FROM sale WHERE chain_id = $1 AND block_number = $2 AND tx_hash = $3 ORDER BY log_index;

-- name: SetChainSources :one
UPDATE chain_cursor SET base = $1, sources = $2 WHERE chain_id = $3 RETURNING generation;

-- name: RaiseChainGeneration :exec
UPDATE chain_cursor SET generation = generation + 1 WHERE chain_id = $1;

-- name: ChainSources :many
SELECT * FROM chain_source WHERE chain_id = $1;

-- name: InsertChainSource :exec
INSERT INTO chain_source (chain_id, contract, kind, next_block) VALUES ($1, $2, $3, $4);

-- name: SetChainSource :exec
UPDATE chain_source SET next_block = $1 WHERE chain_id = $2 AND contract = $3;

-- name: AdvanceChainSources :execrows
UPDATE chain_source SET next_block = sqlc.arg(next_block) WHERE chain_id = sqlc.arg(chain_id) AND next_block = sqlc.arg(from_block);

-- name: RewindChainSources :exec
UPDATE chain_source SET next_block = sqlc.arg(next_block) WHERE chain_id = sqlc.arg(chain_id) AND next_block > sqlc.arg(next_block);

-- name: DeleteChainSources :exec
DELETE FROM chain_source WHERE chain_id = $1;

-- name: InsertChainBlock :exec
INSERT INTO chain_block (chain_id, number, hash, time) VALUES ($1, $2, $3, $4);

-- name: ChainBlock :one
SELECT * FROM chain_block WHERE chain_id = $1 AND number = $2;

-- name: ChainBlocks :many
SELECT * FROM chain_block WHERE chain_id = $1 ORDER BY number;

-- name: PruneChainBlocks :exec
DELETE FROM chain_block WHERE chain_block.chain_id = $1 AND chain_block.number < $2
  AND chain_block.number > (SELECT MIN(b.number) FROM chain_block b WHERE b.chain_id = $1);

-- name: DeleteChainBlocks :exec
DELETE FROM chain_block WHERE chain_id = $1 AND number > $2;

-- name: InsertTransfer :exec
INSERT INTO token_transfer (chain_id, block_number, log_index, sub_index, tx_hash, time, contract, standard, token_id, from_address, to_address, amount)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: TransfersAbove :many
SELECT * FROM token_transfer WHERE chain_id = $1 AND block_number > $2;

-- name: DeleteTransfers :exec
DELETE FROM token_transfer WHERE chain_id = $1 AND block_number > $2;

-- name: InsertApproval :exec
INSERT INTO token_approval (chain_id, block_number, log_index, contract, token_id, owner, operator, approved)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: ApprovalsAbove :many
SELECT * FROM token_approval WHERE chain_id = $1 AND block_number > $2;

-- name: DeleteApprovals :exec
DELETE FROM token_approval WHERE chain_id = $1 AND block_number > $2;

-- name: ApprovedForAll :one
-- The state at the end of a block.
SELECT approved FROM token_approval
WHERE chain_id = $1 AND contract = $2 AND token_id = '' AND owner = $3 AND operator = $4 AND block_number <= sqlc.arg(block)
ORDER BY block_number DESC, log_index DESC LIMIT 1;

-- name: ApprovedForToken :one
-- What an owner allowed at the end of a block; sending the token revokes it.
SELECT operator, approved FROM token_approval
WHERE chain_id = $1 AND contract = $2 AND token_id = $3 AND owner = $4 AND block_number <= sqlc.arg(block)
ORDER BY block_number DESC, log_index DESC LIMIT 1;

-- name: ApprovalBlocks :many
-- The blocks, from a block on, in which the approval of an owner's token may have changed.
SELECT block_number FROM token_approval a
WHERE a.chain_id = $1 AND a.contract = $2 AND a.owner = sqlc.arg(owner) AND a.block_number + 0 >= CAST(sqlc.arg(since) AS BIGINT) AND a.token_id = sqlc.arg(token_id)
UNION ALL
SELECT block_number FROM token_approval b
WHERE b.chain_id = $1 AND b.contract = $2 AND b.owner = sqlc.arg(owner) AND b.block_number >= sqlc.arg(since) AND b.token_id = '' AND b.operator = sqlc.arg(operator);

-- name: MovesOf :many
-- The amounts of a token that an owner has sent and received since a block.
SELECT block_number, amount, 0 AS received FROM token_transfer s
WHERE s.chain_id = $1 AND s.contract = $2 AND s.token_id = $3 AND s.from_address = sqlc.arg(owner) AND s.block_number >= sqlc.arg(since)
UNION ALL
SELECT block_number, amount, 1 AS received FROM token_transfer r
WHERE r.chain_id = $1 AND r.contract = $2 AND r.token_id = $3 AND r.to_address = sqlc.arg(owner) AND r.block_number >= sqlc.arg(since);

-- name: SalesSince :many
-- The sales from a listing from a block on.
SELECT block_number, quantity FROM sale WHERE chain_id = $1 AND listing_id = $2 AND block_number >= sqlc.arg(since);

-- name: TermsBlock :one
-- The block in which a listing's terms were last set.
SELECT CAST(COALESCE(MAX(block_number), 0) AS BIGINT) FROM listing_event
WHERE chain_id = $1 AND listing_id = $2 AND kind IN ('new', 'updated');

-- name: InsertUserOperationEvent :exec
INSERT INTO user_operation_event (chain_id, block_number, log_index, tx_hash, time, op_hash, sender, success)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: OperationSucceeded :one
SELECT COUNT(*) FROM user_operation_event WHERE chain_id = $1 AND op_hash = $2 AND success = 1;

-- name: DeleteUserOperationEvents :exec
DELETE FROM user_operation_event WHERE chain_id = $1 AND block_number > $2;

-- name: InsertListingEvent :exec
INSERT INTO listing_event (chain_id, block_number, log_index, tx_hash, time, listing_id, kind, detail, contract, token_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: UnsettledListings :many
SELECT l.* FROM listing l WHERE l.lapsed = -1 AND l.chain_id = sqlc.arg(chain_id)
    AND NOT EXISTS (SELECT 1 FROM chain_source s WHERE s.chain_id = l.chain_id AND s.contract = l.contract AND s.next_block <> -1)
ORDER BY l.id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: UnconfiguredListings :many
-- Listings of contracts that are no longer configured, until they are unsettled.
SELECT l.* FROM chain_source s JOIN listing l ON l.contract = s.contract AND l.chain_id = s.chain_id AND l.status = 'active' AND l.lapsed >= 0
WHERE s.chain_id = sqlc.arg(chain_id) AND s.next_block = -2 LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DeleteListingEvent :exec
DELETE FROM listing_event WHERE chain_id = $1 AND block_number = $2 AND log_index = $3;

-- name: UserOperationEventsOfBlock :many
SELECT * FROM user_operation_event WHERE chain_id = $1 AND block_number = $2 ORDER BY log_index;

-- name: ListingEvents :many
SELECT * FROM listing_event WHERE chain_id = $1 AND listing_id = $2 ORDER BY block_number, log_index;

-- name: ListingsTouchedAbove :many
-- A listing touched more than once is named each time.
SELECT listing_id FROM listing_event WHERE chain_id = $1 AND block_number > $2;

-- name: DeleteListingEvents :exec
DELETE FROM listing_event WHERE chain_id = $1 AND block_number > $2;

-- name: InsertSale :exec
INSERT INTO sale (chain_id, block_number, log_index, tx_hash, time, listing_id, contract, token_id, seller, buyer, currency, quantity, total, unit_price, received)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: DeleteSales :exec
DELETE FROM sale WHERE chain_id = $1 AND block_number > $2;

-- name: Holding :one
SELECT amount, missing FROM holding WHERE chain_id = $1 AND contract = $2 AND token_id = $3 AND owner = $4;

-- name: PutHolding :exec
INSERT INTO holding (chain_id, contract, token_id, owner, standard, amount, missing) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (chain_id, contract, token_id, owner) DO UPDATE SET amount = excluded.amount, missing = excluded.missing;

-- name: DeleteHolding :exec
DELETE FROM holding WHERE chain_id = $1 AND contract = $2 AND token_id = $3 AND owner = $4;

-- name: DeleteHoldings :exec
DELETE FROM holding WHERE chain_id = $1;

-- name: InsertSupplyCap :exec
INSERT INTO supply_cap (chain_id, block_number, log_index, contract, token_id, max_supply) VALUES ($1, $2, $3, $4, $5, $6);

-- name: DeleteSupplyCaps :exec
DELETE FROM supply_cap WHERE chain_id = $1 AND block_number > $2;

-- name: InsertTokenTable :exec
-- The first table of a token is its table for ever, whatever a contract says later.
INSERT INTO token_table (chain_id, contract, token_id, table_hash, block_number, log_index, tx_hash, time)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (chain_id, contract, token_id) DO NOTHING;

-- name: DeleteTokenTables :exec
DELETE FROM token_table WHERE chain_id = $1 AND block_number > $2;

-- name: TokenTables :many
SELECT * FROM token_table WHERE chain_id = $1 AND contract = $2 ORDER BY block_number, log_index;

-- name: TokenTable :one
SELECT * FROM token_table WHERE chain_id = $1 AND contract = $2 AND token_id = $3;

-- name: Supply :one
SELECT minted, burned FROM supply WHERE chain_id = $1 AND contract = $2 AND token_id = $3;

-- name: PutSupply :exec
INSERT INTO supply (chain_id, contract, token_id, minted, burned) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (chain_id, contract, token_id) DO UPDATE SET minted = excluded.minted, burned = excluded.burned;

-- name: DeleteSupply :exec
DELETE FROM supply WHERE chain_id = $1 AND contract = $2 AND token_id = $3;

-- name: DeleteSupplies :exec
DELETE FROM supply WHERE chain_id = $1;

-- name: InsertToken :execrows
INSERT INTO token (contract, token_id, collection, name, kind, rarity, rarity_rank, attributes, words)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (contract, token_id) DO NOTHING;

-- name: InsertTokenTrait :exec
INSERT INTO token_trait (contract, token_id, trait, value) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: DeleteTokenIfUnseen :one
DELETE FROM token WHERE token.contract = $1 AND token.token_id = $2
    AND NOT EXISTS (SELECT 1 FROM token_transfer x WHERE x.contract = token.contract AND x.token_id = token.token_id)
    AND NOT EXISTS (SELECT 1 FROM listing l WHERE l.contract = token.contract AND l.token_id = token.token_id)
RETURNING collection, rarity, rarity_rank;

-- name: TokenTraits :many
SELECT trait, value FROM token_trait WHERE contract = $1 AND token_id = $2 ORDER BY trait, value;

-- name: DeleteTokenTraits :exec
DELETE FROM token_trait WHERE contract = $1 AND token_id = $2;

-- name: DeleteUnseenTokens :exec
DELETE FROM token WHERE NOT EXISTS (SELECT 1 FROM token_transfer x WHERE x.contract = token.contract AND x.token_id = token.token_id)
    AND NOT EXISTS (SELECT 1 FROM listing l WHERE l.contract = token.contract AND l.token_id = token.token_id);

-- name: DeleteUnseenTokenTraits :exec
DELETE FROM token_trait WHERE NOT EXISTS (SELECT 1 FROM token t WHERE t.contract = token_trait.contract AND t.token_id = token_trait.token_id);

-- name: ListingByID :one
SELECT * FROM listing WHERE id = $1;

-- name: ActiveListingsOf :many
SELECT * FROM listing WHERE chain_id = $1 AND seller = $2 AND contract = $3 AND status = 'active';

-- name: HeldUnitsOfChain :many
SELECT h.player_id, h.unit, l.listing_id, l.contract
FROM cart_hold h CROSS JOIN listing l WHERE l.id = h.listing_id AND l.chain_id = $1;

-- name: DeleteListings :exec
DELETE FROM listing WHERE chain_id = $1;

-- name: PutListing :exec
INSERT INTO listing (id, chain_id, listing_id, contract, token_id, seller, quantity, currency, price, price_rank, start_at, end_at, reserved, status, valid, created_at, updated_at, lapsed, returned,
    collection, rarity, rarity_rank, words, traits, browsable, listed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
ON CONFLICT (id) DO UPDATE SET
    contract = excluded.contract, token_id = excluded.token_id, seller = excluded.seller, quantity = excluded.quantity,
    currency = excluded.currency, price = excluded.price, price_rank = excluded.price_rank, start_at = excluded.start_at,
    end_at = excluded.end_at, reserved = excluded.reserved, status = excluded.status, valid = excluded.valid,
    created_at = excluded.created_at, updated_at = excluded.updated_at, lapsed = excluded.lapsed, returned = excluded.returned,
    collection = excluded.collection, rarity = excluded.rarity, rarity_rank = excluded.rarity_rank,
    words = excluded.words, traits = excluded.traits, browsable = excluded.browsable, listed = excluded.listed;

-- name: EndedListings :many
SELECT * FROM listing WHERE browsable = 1 AND end_at <= sqlc.arg(now) AND chain_id + 0 = sqlc.arg(chain_id)
ORDER BY end_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: AddRarityCount :exec
INSERT INTO rarity_count (contract, collection, rarity, rarity_rank, tokens, listed) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (contract, collection, rarity, rarity_rank) DO UPDATE SET
    tokens = rarity_count.tokens + excluded.tokens, listed = rarity_count.listed + excluded.listed;

-- name: AddTraitCount :exec
INSERT INTO trait_count (contract, collection, trait, value, listed) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (contract, collection, trait, value) DO UPDATE SET listed = trait_count.listed + excluded.listed;

-- name: ClearRarityCounts :exec
DELETE FROM rarity_count;

-- name: CountRarities :exec
INSERT INTO rarity_count (contract, collection, rarity, rarity_rank, tokens, listed)
SELECT t.contract, t.collection, t.rarity, t.rarity_rank, COUNT(*), 0 FROM token t GROUP BY t.contract, t.collection, t.rarity, t.rarity_rank;

-- name: CountListedRarities :exec
UPDATE rarity_count SET listed = (
    SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.contract = rarity_count.contract AND l.collection = rarity_count.collection
        AND l.rarity = rarity_count.rarity AND l.rarity_rank = rarity_count.rarity_rank);

-- name: ClearTraitCounts :exec
DELETE FROM trait_count;

-- name: CountTraits :exec
INSERT INTO trait_count (contract, collection, trait, value, listed)
SELECT l.contract, l.collection, x.trait, x.value, COUNT(*)
FROM listing l JOIN token_trait x ON x.contract = l.contract AND x.token_id = l.token_id
WHERE l.browsable = 1 GROUP BY l.contract, l.collection, x.trait, x.value;

-- name: DeleteListing :exec
DELETE FROM listing WHERE id = $1;

-- name: LockUnits :exec
-- In the order of LockCart.
SELECT 1 FROM cart_hold WHERE listing_id = $1 ORDER BY listing_id, unit FOR UPDATE;

-- name: KeptUnits :many
SELECT * FROM cart_hold WHERE listing_id = $1 ORDER BY unit;

-- name: DropUnit :many
DELETE FROM cart_hold WHERE listing_id = $1 AND unit = $2 RETURNING order_id;

-- name: MoveUnit :exec
UPDATE cart_hold SET unit = sqlc.arg(to_unit) WHERE listing_id = sqlc.arg(listing_id) AND unit = sqlc.arg(from_unit);

-- name: PlayerOfWallet :one
SELECT player_id FROM wallet WHERE smart_address = $1;

-- name: InsertFactEffect :execrows
INSERT INTO fact_effect (chain_id, cause, fact, block_number) VALUES ($1, $2, $3, $4)
ON CONFLICT (chain_id, cause, fact) DO NOTHING;

-- name: PruneFactEffects :exec
DELETE FROM fact_effect WHERE chain_id = $1 AND block_number < $2;

-- Movements by which tokens were minted, or left a wallet of the portal.
-- name: TokenMovements :many
SELECT x.block_number, x.log_index, x.sub_index, x.tx_hash FROM token_transfer x
WHERE x.chain_id = $1
  AND (x.block_number, x.log_index, x.sub_index)
    > (CAST(sqlc.arg(after_block) AS BIGINT), CAST(sqlc.arg(after_log) AS BIGINT), CAST(sqlc.arg(after_sub) AS BIGINT))
  AND (x.from_address = '0x0000000000000000000000000000000000000000'
    OR x.from_address IN (SELECT s.address FROM gas_sender s WHERE s.chain_id = x.chain_id))
ORDER BY x.block_number, x.log_index, x.sub_index LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: HoldingsAfter :many
SELECT * FROM holding
WHERE chain_id = $1 AND (contract, token_id, owner) > (sqlc.arg(contract), CAST(sqlc.arg(token_id) AS TEXT), sqlc.arg(owner))
ORDER BY contract, token_id, owner LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: SuppliesOf :many
SELECT token_id, minted, burned FROM supply
WHERE chain_id = $1 AND contract = $2 AND (token_id > CAST(sqlc.arg(after) AS TEXT) OR CAST(sqlc.arg(after) AS TEXT) = '')
ORDER BY token_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: CountHoldings :one
SELECT COUNT(*) FROM holding WHERE chain_id = $1;
