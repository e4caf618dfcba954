-- +goose Up
-- The SHA-256 of calls, in hex: by it the order is found that an operation pays for. Orders from before are not found any
-- more; none of them waits for longer than the fifteen minutes after which it ends.
ALTER TABLE purchase_order ADD COLUMN calls_hash TEXT NOT NULL DEFAULT '';
CREATE INDEX purchase_order_calls ON purchase_order (player_id, calls_hash, created_at);
CREATE INDEX purchase_order_waiting ON purchase_order (player_id) WHERE state = 'awaiting-payment';

-- +goose Down
DROP INDEX purchase_order_waiting;
DROP INDEX purchase_order_calls;
ALTER TABLE purchase_order DROP COLUMN calls_hash;
