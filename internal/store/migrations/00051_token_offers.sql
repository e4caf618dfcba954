-- +goose Up
-- A seller's offers of one token, cheapest first.
CREATE INDEX listing_seller_token ON listing (seller, contract, token_id, price_rank, id) WHERE browsable = 1;
-- A token's sales in order, also those of the same time.
DROP INDEX sale_token;
CREATE INDEX sale_token ON sale (contract, token_id, time, block_number, log_index);

-- +goose Down
DROP INDEX sale_token;
CREATE INDEX sale_token ON sale (contract, token_id, time);
DROP INDEX listing_seller_token;
