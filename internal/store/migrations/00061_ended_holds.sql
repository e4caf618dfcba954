-- +goose Up
-- Holds that an act of the seller ended. Until they would have ended by themselves, the portal lists no unit for more than its
-- holder would have paid.
CREATE TABLE ended_hold (
    chain_id     BIGINT NOT NULL,
    seller       TEXT   NOT NULL,
    contract     TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    listing_id   TEXT   NOT NULL,
    unit         BIGINT NOT NULL,
    price        TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL,
    block_number BIGINT NOT NULL, -- the first block in which the hold may have ended
    PRIMARY KEY (listing_id, unit, expires_at)
);
CREATE INDEX ended_hold_token ON ended_hold (contract, token_id, expires_at);
CREATE INDEX ended_hold_age ON ended_hold (expires_at);

-- +goose Down
DROP TABLE ended_hold;
