-- +goose Up
-- Openings of packs that are bought in the shop: one for each unit of a line of an order. Their wallet and tx_hash are empty,
-- and block_time is when the portal first recorded the payment.
ALTER TABLE opening ADD COLUMN shop       TEXT   NOT NULL DEFAULT '';
ALTER TABLE opening ADD COLUMN shop_order BIGINT NOT NULL DEFAULT 0;
ALTER TABLE opening ADD COLUMN shop_line  BIGINT NOT NULL DEFAULT 0;
ALTER TABLE opening ADD COLUMN shop_unit  BIGINT NOT NULL DEFAULT 0;

-- Openings are drawn in the order of their places within their kind.
DROP INDEX opening_waiting;
CREATE INDEX opening_waiting ON opening (kind, place) WHERE drawn_at = 0;

-- One row, which transactions update before they add openings: so they take places one after another.
CREATE TABLE opening_lock (held BIGINT NOT NULL);
INSERT INTO opening_lock (held) VALUES (0);

-- +goose Down
DROP TABLE opening_lock;
DROP INDEX opening_waiting;
CREATE INDEX opening_waiting ON opening (place) WHERE drawn_at = 0;
ALTER TABLE opening DROP COLUMN shop_unit;
ALTER TABLE opening DROP COLUMN shop_line;
ALTER TABLE opening DROP COLUMN shop_order;
ALTER TABLE opening DROP COLUMN shop;
