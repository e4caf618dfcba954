-- +goose Up
ALTER TABLE listing
    -- 1 if the seller's goods or the marketplace's approval were missing at the end of any block since the terms were last
    -- set. Such a listing is not valid until its seller sets its terms.
    ADD COLUMN lapsed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE listing
    -- 1 if the listing is lapsed and would be valid otherwise: its goods are back.
    ADD COLUMN returned BIGINT NOT NULL DEFAULT 0;
UPDATE listing SET lapsed = 1 WHERE status = 'active' AND valid = 0;

DROP VIEW listing_card;
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.returned, l.created_at, l.updated_at,
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
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT v.version FROM listing_version v WHERE v.listing_id = l.id), 0) AS BIGINT) AS version
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;
ALTER TABLE listing DROP COLUMN returned;
ALTER TABLE listing DROP COLUMN lapsed;
