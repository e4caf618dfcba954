-- +goose Up
-- When the player confirmed being 18 or older.
ALTER TABLE player ADD COLUMN adult_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE player DROP COLUMN adult_at;
