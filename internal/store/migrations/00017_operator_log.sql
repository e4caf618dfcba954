-- +goose Up
-- What else an operator's command was told, such as the player whom an order was given to.
ALTER TABLE operator_log ADD COLUMN detail TEXT NOT NULL DEFAULT '';
