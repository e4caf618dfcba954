-- +goose Up
-- 1 if the session was opened by an external login, such as X or the game's link; 0 for a password.
ALTER TABLE session ADD COLUMN external BIGINT NOT NULL DEFAULT 0;
-- When the address to which the notice was mailed became the account's (player.email_changed_at).
ALTER TABLE notice ADD COLUMN address_at BIGINT NOT NULL DEFAULT 0;

-- Nothing is bought from frozen players either.
INSERT INTO closed_wallet (address, state, closed_at)
SELECT w.smart_address, 'closing', p.frozen_at FROM wallet w JOIN player p ON p.id = w.player_id WHERE p.frozen_at > 0
ON CONFLICT (address) DO NOTHING;

-- +goose Down
ALTER TABLE notice DROP COLUMN address_at;
ALTER TABLE session DROP COLUMN external;
