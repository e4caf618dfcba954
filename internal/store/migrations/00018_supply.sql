-- +goose Up
-- How many of a token can ever be minted, as its contract has fixed it: a fact, like a transfer.
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

-- +goose Down
DROP TABLE supply;
DROP TABLE supply_cap;
