-- +goose Up
-- The trace, by the W3C's traceparent, of the request that led to a row: what other processes do with the row later belongs to it.
ALTER TABLE outbox ADD COLUMN trace TEXT NOT NULL DEFAULT '';
ALTER TABLE purchase_order ADD COLUMN trace TEXT NOT NULL DEFAULT '';
ALTER TABLE gas_operation ADD COLUMN trace TEXT NOT NULL DEFAULT '';
ALTER TABLE gas_transaction ADD COLUMN trace TEXT NOT NULL DEFAULT '';
