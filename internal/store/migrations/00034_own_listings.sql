-- +goose Up
-- For sellers' own listings, newest first, and the sales from each.
CREATE INDEX listing_seller_newest ON listing (seller, created_at, id);
CREATE INDEX sale_listing ON sale (chain_id, listing_id, block_number, log_index);

-- +goose Down
DROP INDEX sale_listing;
DROP INDEX listing_seller_newest;
