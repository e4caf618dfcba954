-- +goose Up
-- Counts the announced changes of a listing, its holds included. The row outlives the listing: one that a reorganisation
-- removes and brings back continues its count. A listing without a row has version 0.
CREATE TABLE listing_version (
    listing_id TEXT PRIMARY KEY,
    version    BIGINT NOT NULL
);

DROP VIEW listing_card;
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes, t.words,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT v.version FROM listing_version v WHERE v.listing_id = l.id), 0) AS BIGINT) AS version
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;

-- +goose Down
DROP VIEW listing_card;
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes, t.words,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;
DROP TABLE listing_version;
