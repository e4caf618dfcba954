-- +goose Up
-- When the present email address replaced another one, or none; 0 for that of the registration.
ALTER TABLE player ADD COLUMN email_changed_at BIGINT NOT NULL DEFAULT 0;
UPDATE player SET email_changed_at = email_confirmed_at WHERE id IN (SELECT player_id FROM linked_account);

-- +goose Down
ALTER TABLE player DROP COLUMN email_changed_at;
