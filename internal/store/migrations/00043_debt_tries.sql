-- +goose Up
-- How often a balance was too low for what was being taken: each attempt is a debit of its own.
ALTER TABLE shop_debt ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE shop_debt DROP COLUMN tries;
