-- +goose Up
-- When the wallet was copied to the second place as it is now; 0 until then.
ALTER TABLE wallet ADD COLUMN copied_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX wallet_uncopied ON wallet (created_at, player_id) WHERE copied_at = 0;

-- When the deletion was recorded there; 0 until then.
ALTER TABLE deleted_player ADD COLUMN recorded_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX deleted_player_unrecorded ON deleted_player (deleted_at) WHERE recorded_at = 0;
