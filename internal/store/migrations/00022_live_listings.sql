-- +goose Up
-- valid = 1 says that a listing is active, so the indexes of live listings need no more than that.
DROP INDEX listing_price;
DROP INDEX listing_newest;
CREATE INDEX listing_price ON listing (price_rank, id) WHERE valid = 1;
CREATE INDEX listing_newest ON listing (created_at, id) WHERE valid = 1;

-- +goose Down
DROP INDEX listing_price;
DROP INDEX listing_newest;
CREATE INDEX listing_price ON listing (price_rank, id) WHERE status = 'active' AND valid = 1;
CREATE INDEX listing_newest ON listing (created_at, id) WHERE status = 'active' AND valid = 1;
