-- +goose Up
-- Hand-offs outlive their player's account: what is paid with one later is a deleted player's order, whom operators can name.
CREATE TABLE kept_hand_off (
    id           TEXT   PRIMARY KEY,
    player_id    TEXT   NOT NULL,
    variation_id BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    -- Whether it was for something that is drawn.
    chance       BIGINT NOT NULL DEFAULT 0
);
INSERT INTO kept_hand_off (id, player_id, variation_id, created_at, chance)
SELECT id, player_id, variation_id, created_at, chance FROM shop_hand_off;
DROP TABLE shop_hand_off;
ALTER TABLE kept_hand_off RENAME TO shop_hand_off;
CREATE INDEX shop_hand_off_player ON shop_hand_off (player_id, created_at);
CREATE INDEX shop_hand_off_created ON shop_hand_off (created_at);

-- +goose Down
CREATE TABLE kept_hand_off (
    id           TEXT   PRIMARY KEY,
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    variation_id BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    chance       BIGINT NOT NULL DEFAULT 0
);
INSERT INTO kept_hand_off (id, player_id, variation_id, created_at, chance)
SELECT id, player_id, variation_id, created_at, chance FROM shop_hand_off WHERE player_id IN (SELECT id FROM player);
DROP TABLE shop_hand_off;
ALTER TABLE kept_hand_off RENAME TO shop_hand_off;
CREATE INDEX shop_hand_off_player ON shop_hand_off (player_id, created_at);
CREATE INDEX shop_hand_off_created ON shop_hand_off (created_at);
