-- +goose Up
-- What cannot change without a new index: marketplace, entry point and currency. '' in an index that is older than the column.
ALTER TABLE chain_cursor ADD COLUMN base TEXT NOT NULL DEFAULT '';
-- Raised when other contracts are read from now on, and when the index is discarded: a batch that was read before is refused.
ALTER TABLE chain_cursor ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;

-- The contracts that a chain's index is read from. One that is no longer configured stays, so that its history has no gap.
CREATE TABLE chain_source (
    chain_id   BIGINT NOT NULL,
    contract   TEXT   NOT NULL,
    -- A token standard, or paymaster.
    kind       TEXT   NOT NULL,
    -- Of a contract that was added later: the first block that was not read of it. -1 once it is read with all others, and -2 while it
    -- is read and is not configured.
    next_block BIGINT NOT NULL,
    PRIMARY KEY (chain_id, contract)
);

-- Active listings that are not valid whatever their backing: of contracts that are not read up to the cursor, or not configured.
CREATE INDEX listing_unsettled ON listing (chain_id, id) WHERE lapsed = -1;

-- What contracts say of themselves is a row of token_metadata without a token.
CREATE INDEX token_metadata_contract ON token_metadata (contract) WHERE token_id = '';

-- Pictures that a token no longer has, and since when. Those that no other has are deleted after some time.
CREATE TABLE unused_picture (
    picture   TEXT   PRIMARY KEY,
    unused_at BIGINT NOT NULL
);
CREATE INDEX token_metadata_picture ON token_metadata (picture) WHERE picture <> '';
