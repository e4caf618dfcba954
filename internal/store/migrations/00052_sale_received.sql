-- +goose Up
-- What the seller got for a sale, in base units of its currency; empty if the index saw no payout in a known currency.
ALTER TABLE sale ADD COLUMN received TEXT NOT NULL DEFAULT '';
UPDATE sale SET received = COALESCE((
    SELECT x.amount FROM token_transfer x
    WHERE x.chain_id = sale.chain_id AND x.block_number = sale.block_number AND x.log_index < sale.log_index AND x.tx_hash = sale.tx_hash
      AND x.contract = sale.currency AND x.to_address = sale.seller
    ORDER BY x.log_index DESC LIMIT 1), '');
-- The active listings of a seller's token: a transfer of it may make them invalid.
DROP INDEX listing_seller;
CREATE INDEX listing_seller_active ON listing (seller, contract, token_id) WHERE status = 'active';

-- +goose Down
DROP INDEX listing_seller_active;
CREATE INDEX listing_seller ON listing (seller, contract);
ALTER TABLE sale DROP COLUMN received;
