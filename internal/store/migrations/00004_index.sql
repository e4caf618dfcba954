-- +goose Up
-- What the chains say, as the indexer read it (the facts), and what follows from it (holding, supply, listing). The facts
-- carry their position; on a reorganisation the facts above the common ancestor go and what they touched is folded anew.

CREATE TABLE chain_cursor (
    chain_id       BIGINT PRIMARY KEY,
    -- The last block that was read; -1 before the first.
    block_number   BIGINT NOT NULL,
    block_hash     TEXT   NOT NULL,
    block_time     BIGINT NOT NULL,
    -- Which contracts were read from which block on: an index made from others is made anew.
    sources        TEXT   NOT NULL,
    -- The last burn whose reward was recorded, in chain order: of the entry named by block, log and place in the log, this
    -- many copies.
    settled_block  BIGINT NOT NULL DEFAULT -1,
    settled_log    BIGINT NOT NULL DEFAULT 0,
    settled_sub    BIGINT NOT NULL DEFAULT 0,
    settled_copies BIGINT NOT NULL DEFAULT 0
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
-- An owner's moves of a token in order: an index that only finds them loses against the primary key, which has them in order
-- but holds the whole chain's.
CREATE INDEX token_transfer_sent ON token_transfer (chain_id, from_address, contract, token_id, block_number);
CREATE INDEX token_transfer_received ON token_transfer (chain_id, to_address, contract, token_id, block_number);
CREATE INDEX token_transfer_of_token ON token_transfer (contract, token_id, block_number, log_index, sub_index);
-- What wallets have burned, for their activity.
CREATE INDEX token_transfer_burn ON token_transfer (from_address, time)
    WHERE to_address = '0x0000000000000000000000000000000000000000';
-- Burns in chain order, for their rewards.
CREATE INDEX token_transfer_burns ON token_transfer (chain_id, block_number, log_index, sub_index)
    WHERE to_address = '0x0000000000000000000000000000000000000000' AND standard <> 'erc20';

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
    -- The token that it is about, so that an index has a token's events in order.
    contract     TEXT   NOT NULL DEFAULT '',
    token_id     TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX listing_event_of_listing ON listing_event (chain_id, listing_id, block_number, log_index);
CREATE INDEX listing_event_of_token ON listing_event (contract, token_id, block_number, log_index);
-- What a listing's price was before a change.
CREATE INDEX listing_event_terms ON listing_event (chain_id, listing_id, block_number, log_index) WHERE kind IN ('new', 'updated');

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
CREATE INDEX user_operation_event_hash ON user_operation_event (chain_id, op_hash);

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
    -- What the seller got, in base units of the currency; '' if the index saw no payout in a known currency.
    received     TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX sale_newest ON sale (time, chain_id, block_number, log_index);
CREATE INDEX sale_listing ON sale (chain_id, listing_id, block_number, log_index);
-- A token's sales in order, also those of the same time.
CREATE INDEX sale_token ON sale (contract, token_id, time, block_number, log_index);
-- The newest sales of a collection, and of a wallet.
CREATE INDEX sale_contract_time ON sale (contract, time);
CREATE INDEX sale_buyer ON sale (buyer, time);
CREATE INDEX sale_seller ON sale (seller, time);

-- How many of a token can ever be minted, as its contract has fixed it.
CREATE TABLE supply_cap (
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    contract     TEXT   NOT NULL,
    -- '' for all tokens of an ERC-721 collection together.
    token_id     TEXT   NOT NULL,
    max_supply   TEXT   NOT NULL,
    PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX supply_cap_token ON supply_cap (contract, token_id);

-- The drop tables of packs, as their contract has fixed them. The first of a token counts; facts are added in the order of
-- the chain and removed from its end, so no later one is ever needed.
CREATE TABLE token_table (
    chain_id     BIGINT NOT NULL,
    contract     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    -- SHA-256 of the table: 0x and 64 hexadecimal digits, lower case.
    table_hash   TEXT   NOT NULL,
    block_number BIGINT NOT NULL,
    log_index    BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    -- The block's, in milliseconds.
    time         BIGINT NOT NULL,
    PRIMARY KEY (chain_id, contract, token_id)
);

-- What a fact led to that cannot be taken back: a player was told of it, a hold was spent on it. A reorganisation brings
-- facts again, in the same block or in another one; an effect of theirs that is noted here is not repeated.
CREATE TABLE fact_effect (
    chain_id     BIGINT NOT NULL,
    -- Hash of the user operation that caused the fact, which another transaction may bring; else of its transaction.
    cause        TEXT   NOT NULL,
    -- The kind of event, the listing's number, and how many such events of the cause stand before it.
    fact         TEXT   NOT NULL,
    -- The block in which the fact was seen first.
    block_number BIGINT NOT NULL,
    PRIMARY KEY (chain_id, cause, fact)
);
CREATE INDEX fact_effect_block ON fact_effect (chain_id, block_number);

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

-- How many of a token were minted and burned, which follows from the transfers. Of unique tokens the collection's are
-- counted together, with the token_id ''.
CREATE TABLE supply (
    chain_id BIGINT NOT NULL,
    contract TEXT   NOT NULL,
    token_id TEXT   NOT NULL,
    minted   TEXT   NOT NULL,
    burned   TEXT   NOT NULL,
    PRIMARY KEY (chain_id, contract, token_id)
);
CREATE INDEX supply_token ON supply (contract, token_id);

-- How far a chain was read when the player last looked at game items. What was received in later blocks is new. A wallet
-- has seen all that was there when it was registered.
CREATE TABLE items_seen (
    player_id    TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    chain_id     BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    PRIMARY KEY (player_id, chain_id)
);
