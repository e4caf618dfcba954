-- +goose Up
ALTER TABLE player ADD COLUMN email_confirmed_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE player DROP COLUMN email_confirmed_at;
