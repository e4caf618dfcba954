-- +goose Up
-- With a listing's events in order: an index that only finds them loses against the primary key, which has them in order
-- but holds the whole chain's.
CREATE INDEX listing_event_of_listing ON listing_event (chain_id, listing_id, block_number, log_index);
DROP INDEX listing_event_listing;
-- Likewise with an owner's moves of a token.
CREATE INDEX token_transfer_sent ON token_transfer (chain_id, from_address, contract, token_id, block_number);
DROP INDEX token_transfer_from;
CREATE INDEX token_transfer_received ON token_transfer (chain_id, to_address, contract, token_id, block_number);
DROP INDEX token_transfer_to;
CREATE INDEX user_operation_event_hash ON user_operation_event (chain_id, op_hash);
DROP INDEX user_operation_event_op;
CREATE INDEX purchase_order_settled ON purchase_order (chain_id, settled_block) WHERE settled_block > 0;
CREATE INDEX notification_setting_email ON notification_setting (emailed_at, player_id) WHERE email = 1;

-- +goose Down
DROP INDEX notification_setting_email;
DROP INDEX purchase_order_settled;
CREATE INDEX token_transfer_to ON token_transfer (chain_id, to_address, contract, token_id);
DROP INDEX token_transfer_received;
CREATE INDEX token_transfer_from ON token_transfer (chain_id, from_address, contract, token_id);
DROP INDEX token_transfer_sent;
CREATE INDEX user_operation_event_op ON user_operation_event (op_hash);
DROP INDEX user_operation_event_hash;
CREATE INDEX listing_event_listing ON listing_event (chain_id, listing_id);
DROP INDEX listing_event_of_listing;
