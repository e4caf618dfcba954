-- +goose Up
-- The drop tables of packs, as their contract has fixed them: facts, like the caps. The first of a token counts; facts are
-- added in the order of the chain and removed from its end, so no later one is ever needed.
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

-- +goose Down
DROP TABLE token_table;
