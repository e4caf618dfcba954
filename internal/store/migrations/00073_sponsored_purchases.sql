-- +goose Up
-- 1 for an operation that buys. The others must leave a quarter of the budget to these.
ALTER TABLE sponsorship ADD COLUMN purchase BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE sponsorship DROP COLUMN purchase;
