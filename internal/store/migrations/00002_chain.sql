-- +goose Up
-- What the chains say, as the indexer read it (the facts), and what follows from it (holding, listing). The facts
-- carry their position; on a reorganisation the facts above the common ancestor go and what they touched is folded anew.

CREATE TABLE chain_cursor (
    chain_id     BIGINT PRIMARY KEY,
    -- The last block that was read; -1 before the first.
    block_number BIGINT NOT NULL,
    block_hash   TEXT   NOT NULL,
    block_time   BIGINT NOT NULL,
    -- Which contracts were read from which block on: an index made from others is made anew.
    sources      TEXT   NOT NULL
);

-- Blocks that were read lately, for finding the common ancestor after a reorganisation.
CREATE TABLE chain_block (
    chain_id BIGINT NOT NULL,
    number   BIGINT NOT NULL,
    hash     TEXT   NOT NULL,
    time     BIGINT NOT NULL,
    PRIMARY KEY (chain_id, number)
);

CREATE TABLE token_transfer (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    sub_index    BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    time         BIGINT NOT NULL,
    contract     TEXT   NOT NULL,
    standard     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    from_address TEXT   NOT NULL,
    to_address   TEXT   NOT NULL,
    amount       TEXT   NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index, sub_index)
);
CREATE INDEX token_transfer_from ON token_transfer (chain_id, from_address, contract, token_id);
CREATE INDEX token_transfer_to ON token_transfer (chain_id, to_address, contract, token_id);
CREATE INDEX token_transfer_token ON token_transfer (contract, token_id);

CREATE TABLE token_approval (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    contract     TEXT   NOT NULL,
    -- '' for all of the owner's tokens.
    token_id     TEXT   NOT NULL,
    owner        TEXT   NOT NULL,
    operator     TEXT   NOT NULL,
    approved     BIGINT NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX token_approval_newest ON token_approval (chain_id, contract, token_id, owner, operator, block_number, log_index);

CREATE TABLE listing_event (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    time         BIGINT NOT NULL,
    listing_id   TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    -- The event's own fields as JSON: terms of an offer, or a sale.
    detail       TEXT   NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX listing_event_listing ON listing_event (chain_id, listing_id);

CREATE TABLE user_operation_event (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    time         BIGINT NOT NULL,
    op_hash      TEXT   NOT NULL,
    sender       TEXT   NOT NULL,
    success      BIGINT NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX user_operation_event_op ON user_operation_event (op_hash);

CREATE TABLE sale (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    time         BIGINT NOT NULL,
    listing_id   TEXT   NOT NULL,
    contract     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    seller       TEXT   NOT NULL,
    buyer        TEXT   NOT NULL,
    -- The zero address when the seller took another currency than the listed one.
    currency     TEXT   NOT NULL,
    quantity     BIGINT NOT NULL,
    total        TEXT   NOT NULL,
    -- The price of one, in base units of the currency, rounded down.
    unit_price   TEXT   NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX sale_token ON sale (contract, token_id, time);
CREATE INDEX sale_buyer ON sale (buyer);
CREATE INDEX sale_seller ON sale (seller);

CREATE TABLE holding (
    chain_id BIGINT NOT NULL,
    contract TEXT   NOT NULL,
    token_id TEXT   NOT NULL,
    owner    TEXT   NOT NULL,
    standard TEXT   NOT NULL,
    amount   TEXT   NOT NULL,
    -- What left the owner beyond what was seen to arrive: more than 0 only where the index begins after the contract.
    missing  TEXT   NOT NULL DEFAULT '0',
    PRIMARY KEY (chain_id, contract, token_id, owner)
);
CREATE INDEX holding_owner ON holding (owner, contract);
CREATE INDEX holding_token ON holding (contract, token_id);

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

CREATE TABLE listing (
    -- chain id, a dash, the marketplace's listing id.
    id          TEXT PRIMARY KEY,
    chain_id    BIGINT NOT NULL,
    listing_id  TEXT   NOT NULL,
    contract    TEXT   NOT NULL,
    token_id    TEXT   NOT NULL,
    seller      TEXT   NOT NULL,
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
    updated_at  BIGINT NOT NULL
);
CREATE INDEX listing_token ON listing (contract, token_id);
CREATE INDEX listing_seller ON listing (seller, contract);
CREATE INDEX listing_price ON listing (price_rank, id) WHERE status = 'active' AND valid = 1;
CREATE INDEX listing_newest ON listing (created_at, id) WHERE status = 'active' AND valid = 1;

-- +goose Down
DROP TABLE listing;
DROP TABLE token_trait;
DROP TABLE token;
DROP TABLE holding;
DROP TABLE sale;
DROP TABLE user_operation_event;
DROP TABLE listing_event;
DROP TABLE token_approval;
DROP TABLE token_transfer;
DROP TABLE chain_block;
DROP TABLE chain_cursor;
