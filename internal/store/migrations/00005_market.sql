-- +goose Up
-- What a token is, as its metadata describes it; one row for each token the indexer has met.
CREATE TABLE token (
    contract    TEXT   NOT NULL,
    token_id    TEXT   NOT NULL,
    collection  TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    rarity      TEXT   NOT NULL,
    rarity_rank BIGINT NOT NULL,
    attributes  TEXT   NOT NULL,
    -- Lower-case words of name, collection, kind and attribute values, for search.
    words       TEXT   NOT NULL,
    PRIMARY KEY (contract, token_id)
);

CREATE TABLE token_trait (
    contract TEXT NOT NULL,
    token_id TEXT NOT NULL,
    trait    TEXT NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (contract, token_id, trait, value)
);
CREATE INDEX token_trait_value ON token_trait (trait, value);

-- A seller's listings of a token are covered by what the seller holds, in the order of their creation.
CREATE TABLE listing (
    -- chain id, a dash, the marketplace's listing id.
    id          TEXT PRIMARY KEY,
    chain_id    BIGINT NOT NULL,
    listing_id  TEXT   NOT NULL,
    contract    TEXT   NOT NULL,
    token_id    TEXT   NOT NULL,
    seller      TEXT   NOT NULL,
    -- How many units of a valid listing are covered, and so on offer.
    quantity    BIGINT NOT NULL,
    currency    TEXT   NOT NULL,
    price       TEXT   NOT NULL,
    -- The price as a number, for order and range; prices beyond 2^63-1 all sort as that.
    price_rank  BIGINT NOT NULL,
    start_at    BIGINT NOT NULL,
    end_at      BIGINT NOT NULL,
    reserved    BIGINT NOT NULL,
    -- active, sold or cancelled
    status      TEXT   NOT NULL,
    -- 1 while the listing is active, anybody may buy from it in a known currency, and the seller still has the goods
    -- and lets the marketplace take them. Its time window is not in it.
    valid       BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    -- How many units were without goods, or without the marketplace's approval, at the end of any block since the terms were
    -- last set. They are not on offer until the seller sets the terms.
    lapsed      BIGINT NOT NULL DEFAULT 0,
    -- 1 if the listing is lapsed and would be valid otherwise: its goods are back.
    returned    BIGINT NOT NULL DEFAULT 0,
    -- What the market filters and orders by stands beside the listing, so that an index can serve a filter in an order.
    collection  TEXT   NOT NULL DEFAULT '',
    rarity      TEXT   NOT NULL DEFAULT '',
    rarity_rank BIGINT NOT NULL DEFAULT 0,
    words       TEXT   NOT NULL DEFAULT '',
    -- ‖name¦value‖name¦value‖
    traits      TEXT   NOT NULL DEFAULT '',
    -- 1 for a valid listing until soon after its end. All live listings are browsable.
    browsable   BIGINT NOT NULL DEFAULT 0,
    -- How many units are left by the marketplace's contract.
    listed      BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX listing_token ON listing (contract, token_id);
-- A seller's own listings, newest first.
CREATE INDEX listing_seller_newest ON listing (seller, created_at, id);
-- The active listings of a seller's token: a transfer of it may make them invalid.
CREATE INDEX listing_seller_active ON listing (seller, contract, token_id) WHERE status = 'active';
-- Listings whose time is over.
CREATE INDEX listing_end ON listing (end_at) WHERE status = 'active';
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
-- The offers of one seller, newest first, and those of one token, cheapest first.
CREATE INDEX listing_seller_browse ON listing (seller, created_at, id) WHERE browsable = 1;
CREATE INDEX listing_seller_token ON listing (seller, contract, token_id, price_rank, id) WHERE browsable = 1;
-- The lowest offers of a rarity of a collection.
CREATE INDEX listing_kind_price ON listing (contract, rarity, price_rank, id) WHERE browsable = 1;

-- Counts the announced changes of a listing, its holds included. The row outlives the listing: one that a reorganisation
-- removes and brings back continues its count. A listing without a row has version 0.
CREATE TABLE listing_version (
    listing_id TEXT PRIMARY KEY,
    version    BIGINT NOT NULL
);

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
-- The traits of a collection, with their counts.
CREATE INDEX trait_count_collection ON trait_count (collection, trait, value);

-- Filters of the market that players keep, and those that alert them; see package market.
CREATE TABLE saved_search (
    id         TEXT PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    -- The filters, as JSON.
    filters    TEXT   NOT NULL,
    -- The most selective filter that a listing can be looked up by: "token contract id", "collection slug" or "all".
    bucket     TEXT   NOT NULL,
    -- 1 if the player is alerted of listings that begin to match.
    alerts     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When the player was last alerted; 0 for never.
    alerted_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX saved_search_player ON saved_search (player_id, created_at, id);
CREATE INDEX saved_search_bucket ON saved_search (bucket, id) WHERE alerts = 1;

-- Listings whose price or availability changed and that have yet to be compared with the saved searches.
CREATE TABLE listing_change (
    listing_id TEXT PRIMARY KEY REFERENCES listing (id) ON DELETE CASCADE,
    -- What it was before the first change.
    was_live   BIGINT NOT NULL,
    was_price  BIGINT NOT NULL,
    -- When it begins to be for sale, or changed.
    due_at     BIGINT NOT NULL,
    -- Increases with each further change.
    version    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX listing_change_due ON listing_change (due_at, listing_id);

-- Listings that began to match a saved search: to be sent, or sent within the last hour. Those of deleted searches are
-- forgotten like all others.
CREATE TABLE search_alert (
    search_id  TEXT   NOT NULL,
    -- It may be taken back by a reorganisation, and come again.
    listing_id TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    sent       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (search_id, listing_id)
);
CREATE INDEX search_alert_unsent ON search_alert (search_id) WHERE sent = 0;
CREATE INDEX search_alert_age ON search_alert (at);

-- The tokens that players watch.
CREATE TABLE watched_token (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    contract   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, contract, token_id)
);
