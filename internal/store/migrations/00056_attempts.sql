-- +goose Up
ALTER TABLE mail RENAME COLUMN tries TO attempts;
ALTER TABLE deleted_player RENAME COLUMN tries TO attempts;
ALTER TABLE shop_debt RENAME COLUMN tries TO attempts;
ALTER TABLE deletion_code RENAME COLUMN tries_left TO attempts_left;
ALTER TABLE email_code RENAME COLUMN tries_left TO attempts_left;

-- +goose Down
ALTER TABLE email_code RENAME COLUMN attempts_left TO tries_left;
ALTER TABLE deletion_code RENAME COLUMN attempts_left TO tries_left;
ALTER TABLE shop_debt RENAME COLUMN attempts TO tries;
ALTER TABLE deleted_player RENAME COLUMN attempts TO tries;
ALTER TABLE mail RENAME COLUMN attempts TO tries;
