-- +goose Up
-- The offers of one seller.
CREATE INDEX listing_seller_browse ON listing (seller, created_at, id) WHERE browsable = 1;
-- The traits of a collection, with their counts.
CREATE INDEX trait_count_collection ON trait_count (collection, trait, value);
-- What was sold last.
CREATE INDEX sale_newest ON sale (time, chain_id, block_number, log_index);

-- +goose Down
DROP INDEX sale_newest;
DROP INDEX trait_count_collection;
DROP INDEX listing_seller_browse;
