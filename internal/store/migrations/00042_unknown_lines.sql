-- +goose Up
-- Lines that the catalogue did not know are given once it does.
CREATE INDEX shop_line_unknown ON shop_line (order_id) WHERE contents = '';

-- +goose Down
DROP INDEX shop_line_unknown;
