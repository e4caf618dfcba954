-- +goose Up
-- When the grant may be given at the earliest; 0 for at once.
ALTER TABLE reward_grant ADD COLUMN not_before BIGINT NOT NULL DEFAULT 0;
-- What the treasury is to send, and how much of it: a contract and a token id, '' for grants of other kinds.
ALTER TABLE reward_grant ADD COLUMN contract TEXT NOT NULL DEFAULT '';
ALTER TABLE reward_grant ADD COLUMN token_id TEXT NOT NULL DEFAULT '';
ALTER TABLE reward_grant ADD COLUMN amount BIGINT NOT NULL DEFAULT 0;
CREATE INDEX reward_grant_transfer ON reward_grant (state, updated_at) WHERE contract <> '';

-- One row, which transactions update before they take from the treasury: so they do it one after another.
CREATE TABLE treasury_lock (held BIGINT NOT NULL);
INSERT INTO treasury_lock (held) VALUES (0);

-- Hand-offs are dropped when they are old.
CREATE INDEX shop_hand_off_created ON shop_hand_off (created_at);

-- +goose Down
DROP INDEX shop_hand_off_created;
DROP TABLE treasury_lock;
DROP INDEX reward_grant_transfer;
ALTER TABLE reward_grant DROP COLUMN amount;
ALTER TABLE reward_grant DROP COLUMN token_id;
ALTER TABLE reward_grant DROP COLUMN contract;
ALTER TABLE reward_grant DROP COLUMN not_before;
