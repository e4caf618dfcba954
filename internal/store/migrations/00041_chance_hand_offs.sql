-- +goose Up
-- 1 if the hand-off was for something that is drawn: age and country were checked before.
ALTER TABLE shop_hand_off ADD COLUMN chance BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE shop_hand_off DROP COLUMN chance;
