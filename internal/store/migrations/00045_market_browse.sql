-- +goose Up
DROP VIEW listing_card;
-- What the market filters and orders by stands beside the listing, so that an index can serve a filter in an order.
ALTER TABLE listing ADD COLUMN collection TEXT NOT NULL DEFAULT '';
ALTER TABLE listing ADD COLUMN rarity TEXT NOT NULL DEFAULT '';
ALTER TABLE listing ADD COLUMN rarity_rank BIGINT NOT NULL DEFAULT 0;
ALTER TABLE listing ADD COLUMN words TEXT NOT NULL DEFAULT '';
-- ‖name¦value‖name¦value‖
ALTER TABLE listing ADD COLUMN traits TEXT NOT NULL DEFAULT '';
-- 1 for a valid listing until soon after its end. All live listings are browsable.
ALTER TABLE listing ADD COLUMN browsable BIGINT NOT NULL DEFAULT 0;
UPDATE listing SET browsable = valid,
    collection = COALESCE((SELECT t.collection FROM token t WHERE t.contract = listing.contract AND t.token_id = listing.token_id), ''),
    rarity = COALESCE((SELECT t.rarity FROM token t WHERE t.contract = listing.contract AND t.token_id = listing.token_id), ''),
    rarity_rank = COALESCE((SELECT t.rarity_rank FROM token t WHERE t.contract = listing.contract AND t.token_id = listing.token_id), 0),
    words = COALESCE((SELECT t.words FROM token t WHERE t.contract = listing.contract AND t.token_id = listing.token_id), ''),
    traits = COALESCE((SELECT '‖' || STRING_AGG(x.trait || '¦' || x.value, '‖' ORDER BY x.trait, x.value) || '‖'
        FROM token_trait x WHERE x.contract = listing.contract AND x.token_id = listing.token_id), '');

DROP INDEX listing_price;
DROP INDEX listing_newest;
CREATE INDEX listing_newest ON listing (created_at, id) WHERE browsable = 1;
CREATE INDEX listing_price ON listing (price_rank, id) WHERE browsable = 1;
CREATE INDEX listing_rarest ON listing (rarity_rank, id) WHERE browsable = 1;
CREATE INDEX listing_collection_newest ON listing (collection, created_at, id) WHERE browsable = 1;
CREATE INDEX listing_collection_price ON listing (collection, price_rank, id) WHERE browsable = 1;
CREATE INDEX listing_collection_rarest ON listing (collection, rarity_rank, id) WHERE browsable = 1;
CREATE INDEX listing_rarity_newest ON listing (rarity, created_at, id) WHERE browsable = 1;
CREATE INDEX listing_rarity_price ON listing (rarity, price_rank, id) WHERE browsable = 1;
CREATE INDEX listing_token_price ON listing (contract, token_id, price_rank, id) WHERE browsable = 1;
CREATE INDEX listing_browsable_end ON listing (end_at) WHERE browsable = 1;
CREATE INDEX listing_browsable_start ON listing (start_at) WHERE browsable = 1;

-- How many tokens and browsable listings there are of each rarity in each collection.
CREATE TABLE rarity_count (
    contract    TEXT   NOT NULL,
    collection  TEXT   NOT NULL,
    rarity      TEXT   NOT NULL,
    rarity_rank BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    listed      BIGINT NOT NULL,
    PRIMARY KEY (contract, collection, rarity, rarity_rank)
);
INSERT INTO rarity_count (contract, collection, rarity, rarity_rank, tokens, listed)
SELECT t.contract, t.collection, t.rarity, t.rarity_rank, COUNT(*), 0 FROM token t GROUP BY t.contract, t.collection, t.rarity, t.rarity_rank;
UPDATE rarity_count SET listed = (
    SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.contract = rarity_count.contract AND l.collection = rarity_count.collection
        AND l.rarity = rarity_count.rarity AND l.rarity_rank = rarity_count.rarity_rank);

-- How many browsable listings there are with each value of a trait in each collection.
CREATE TABLE trait_count (
    contract   TEXT   NOT NULL,
    collection TEXT   NOT NULL,
    trait      TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    listed     BIGINT NOT NULL,
    PRIMARY KEY (contract, collection, trait, value)
);
CREATE INDEX trait_count_value ON trait_count (trait, value);
INSERT INTO trait_count (contract, collection, trait, value, listed)
SELECT l.contract, l.collection, x.trait, x.value, COUNT(*)
FROM listing l JOIN token_trait x ON x.contract = l.contract AND x.token_id = l.token_id
WHERE l.browsable = 1 GROUP BY l.contract, l.collection, x.trait, x.value;

CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.returned, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT v.version FROM listing_version v WHERE v.listing_id = l.id), 0) AS BIGINT) AS version
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;

-- +goose Down
DROP VIEW listing_card;
DROP TABLE trait_count;
DROP TABLE rarity_count;
DROP INDEX listing_browsable_start;
DROP INDEX listing_browsable_end;
DROP INDEX listing_token_price;
DROP INDEX listing_rarity_price;
DROP INDEX listing_rarity_newest;
DROP INDEX listing_collection_rarest;
DROP INDEX listing_collection_price;
DROP INDEX listing_collection_newest;
DROP INDEX listing_rarest;
DROP INDEX listing_price;
DROP INDEX listing_newest;
ALTER TABLE listing DROP COLUMN browsable;
ALTER TABLE listing DROP COLUMN traits;
ALTER TABLE listing DROP COLUMN words;
ALTER TABLE listing DROP COLUMN rarity_rank;
ALTER TABLE listing DROP COLUMN rarity;
ALTER TABLE listing DROP COLUMN collection;
CREATE INDEX listing_price ON listing (price_rank, id) WHERE valid = 1;
CREATE INDEX listing_newest ON listing (created_at, id) WHERE valid = 1;
CREATE VIEW listing_card AS
SELECT l.id, l.chain_id, l.listing_id, l.contract, l.token_id, l.seller, l.quantity, l.currency, l.price, l.price_rank,
       l.start_at, l.end_at, l.reserved, l.status, l.valid, l.returned, l.created_at, l.updated_at,
       t.collection, t.name, t.kind, t.rarity, t.rarity_rank, t.attributes, t.words,
       CAST(COALESCE((SELECT STRING_AGG(h.unit || ' ' || h.player_id || ' ' || h.held_at || ' ' || h.expires_at, ',')
                      FROM cart_hold h WHERE h.listing_id = l.id), '') AS TEXT) AS holds,
       CAST(COALESCE((SELECT v.version FROM listing_version v WHERE v.listing_id = l.id), 0) AS BIGINT) AS version
FROM listing l JOIN token t ON t.contract = l.contract AND t.token_id = l.token_id;
