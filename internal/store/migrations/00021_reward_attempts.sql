-- +goose Up
-- A reward that could not be given for the moment is due again later, so that it does not hold up the others.
ALTER TABLE reward ADD COLUMN attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE reward ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
DROP INDEX reward_open;
CREATE INDEX reward_open ON reward (state, due_at, created_at, source) WHERE state IN ('pending', 'drawn', 'sending');

-- +goose Down
DROP INDEX reward_open;
CREATE INDEX reward_open ON reward (created_at) WHERE state IN ('pending', 'drawn', 'sending');
ALTER TABLE reward DROP COLUMN due_at;
ALTER TABLE reward DROP COLUMN attempts;
