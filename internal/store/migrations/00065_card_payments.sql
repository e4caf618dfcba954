-- +goose Up
-- Units whose rewards were recorded: the first ones.
ALTER TABLE shop_line ADD COLUMN given BIGINT NOT NULL DEFAULT 0;
-- Why the other units wait for an operator; '' for a line that does not.
ALTER TABLE shop_line ADD COLUMN waits TEXT NOT NULL DEFAULT '';
-- What it is worth, in millionths of the shop's currency.
ALTER TABLE shop_line ADD COLUMN value BIGINT NOT NULL DEFAULT 0;
-- When what can change hands is given at the earliest; 0 for a line without.
ALTER TABLE shop_line ADD COLUMN give_at BIGINT NOT NULL DEFAULT 0;
-- What was paid for earlier is not known: the least that counts as a payment.
UPDATE shop_line SET value = 1;
UPDATE shop_line SET given = quantity WHERE contents <> '';
CREATE INDEX shop_line_waits ON shop_line (order_id) WHERE waits <> '';
-- When the payment was disputed, or failed afterwards; 0 if it never was, or an operator forgave it.
ALTER TABLE shop_order ADD COLUMN disputed_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX shop_order_paid ON shop_order (paid_at);
CREATE INDEX shop_hint_failed ON shop_hint (heard_at) WHERE error <> '';

-- +goose Down
DROP INDEX shop_hint_failed;
DROP INDEX shop_order_paid;
ALTER TABLE shop_order DROP COLUMN disputed_at;
DROP INDEX shop_line_waits;
ALTER TABLE shop_line DROP COLUMN give_at;
ALTER TABLE shop_line DROP COLUMN value;
ALTER TABLE shop_line DROP COLUMN waits;
ALTER TABLE shop_line DROP COLUMN given;
