-- +goose Up
-- A seller's offers of one token, cheapest first.
CREATE INDEX listing_seller_token ON listing (seller, contract, token_id, price_rank, id) WHERE browsable = 1;
-- The last sale of a token, also of several at one time.
DROP INDEX sale_token;
CREATE INDEX sale_token ON sale (contract, token_id, time, block_number, log_index);

-- +goose Down
DROP INDEX sale_token;
CREATE INDEX sale_token ON sale (contract, token_id, time);
DROP INDEX listing_seller_token;
