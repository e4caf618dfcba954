-- +goose Up
-- The token that a listing's event is about, so that an index has a token's events in order.
ALTER TABLE listing_event ADD COLUMN contract TEXT NOT NULL DEFAULT '';
ALTER TABLE listing_event ADD COLUMN token_id TEXT NOT NULL DEFAULT '';
UPDATE listing_event SET
    contract = COALESCE((SELECT l.contract FROM listing l WHERE l.id = listing_event.chain_id || '-' || listing_event.listing_id), ''),
    token_id = COALESCE((SELECT l.token_id FROM listing l WHERE l.id = listing_event.chain_id || '-' || listing_event.listing_id), '');
CREATE INDEX listing_event_of_token ON listing_event (contract, token_id, block_number, log_index);
-- What a listing's price was before a change.
CREATE INDEX listing_event_terms ON listing_event (chain_id, listing_id, block_number, log_index) WHERE kind IN ('new', 'updated');
CREATE INDEX token_transfer_of_token ON token_transfer (contract, token_id, block_number, log_index, sub_index);
DROP INDEX token_transfer_token;

-- +goose Down
CREATE INDEX token_transfer_token ON token_transfer (contract, token_id);
DROP INDEX token_transfer_of_token;
DROP INDEX listing_event_terms;
DROP INDEX listing_event_of_token;
ALTER TABLE listing_event DROP COLUMN token_id;
ALTER TABLE listing_event DROP COLUMN contract;
