-- +goose Up
-- 1 while the order that earned the grant is not paid in the shop, such as while its payment is disputed: it is not given.
ALTER TABLE reward_grant ADD COLUMN held BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE reward_grant DROP COLUMN held;
