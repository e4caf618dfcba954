-- +goose Up
-- What contracts say of their tokens. It outlives the index, so that rebuilding the index fetches nothing.
CREATE TABLE token_metadata (
    contract    TEXT   NOT NULL,
    token_id    TEXT   NOT NULL,
    chain_id    BIGINT NOT NULL,
    standard    TEXT   NOT NULL,
    -- What is read next: uri (of the contract), document or picture.
    stage       TEXT   NOT NULL,
    -- The host that is asked for it: of the web, ipfs, arweave, data, or chain and its id.
    host        TEXT   NOT NULL,
    -- As the contract gave it last; '' before it was asked.
    uri         TEXT   NOT NULL DEFAULT '',
    -- JSON; '' until it is known.
    document    TEXT   NOT NULL DEFAULT '',
    -- Of the document, as its host named it.
    etag        TEXT   NOT NULL DEFAULT '',
    -- The picture's key, and the URI it was read from; '' for none.
    picture     TEXT   NOT NULL DEFAULT '',
    picture_uri TEXT   NOT NULL DEFAULT '',
    -- By statistics over the collection; '' where that is not known.
    rarity      TEXT   NOT NULL DEFAULT '',
    -- When the document was read last; 0 for never.
    read_at     BIGINT NOT NULL DEFAULT 0,
    due_at      BIGINT NOT NULL,
    -- When a refresh was last requested.
    asked_at    BIGINT NOT NULL DEFAULT 0,
    -- When it is due again after this refresh, as another one was requested too soon after it; 0 for none.
    again_at    BIGINT NOT NULL DEFAULT 0,
    -- How often it failed since all was read, and why last.
    failures    BIGINT NOT NULL DEFAULT 0,
    reason      TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (contract, token_id)
);
CREATE INDEX token_metadata_due ON token_metadata (host, due_at);
-- For the metrics.
CREATE INDEX token_metadata_unknown ON token_metadata (due_at) WHERE document = '';
CREATE INDEX token_metadata_failing ON token_metadata (failures) WHERE failures > 0;

-- Hosts that failed or asked to be left alone.
CREATE TABLE metadata_host (
    host     TEXT   PRIMARY KEY,
    failures BIGINT NOT NULL,
    due_at   BIGINT NOT NULL
);

-- The rules by which the tokens of a contract were last described: when they change, the tokens are described again.
CREATE TABLE token_rules (
    contract TEXT PRIMARY KEY,
    -- A hash.
    rules    TEXT NOT NULL
);
