-- +goose Up
-- Since when the wallet, as it is now, has to be copied to the second place; 0 once it is. Wallets of earlier releases have to be.
ALTER TABLE wallet ADD COLUMN copy_due_at BIGINT NOT NULL DEFAULT 1;
CREATE INDEX wallet_copy_due ON wallet (copy_due_at, player_id) WHERE copy_due_at > 0;
-- A wallet that is copied.
CREATE INDEX wallet_copied ON wallet (created_at) WHERE copy_due_at = 0;

-- When the deletion was recorded there; 0 until then.
ALTER TABLE deleted_player ADD COLUMN recorded_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX deleted_player_unrecorded ON deleted_player (deleted_at) WHERE recorded_at = 0;
