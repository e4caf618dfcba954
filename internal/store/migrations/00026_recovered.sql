-- +goose Up
-- Transactions of the portal's wallets that the chain has and gas_transaction lacks, as after a restore. The tag identifies the id under
-- which each was sent.
CREATE TABLE gas_recovered (
    chain_id BIGINT NOT NULL,
    sender   TEXT   NOT NULL,
    nonce    BIGINT NOT NULL,
    tag      TEXT   NOT NULL,
    tx_hash  TEXT   NOT NULL,
    raw      TEXT   NOT NULL,
    PRIMARY KEY (chain_id, sender, nonce)
);
-- A block up to which all that the wallet had sent was known.
ALTER TABLE gas_sender ADD COLUMN known_block BIGINT NOT NULL DEFAULT 0;
CREATE INDEX gas_recovered_tag ON gas_recovered (chain_id, tag, nonce);
