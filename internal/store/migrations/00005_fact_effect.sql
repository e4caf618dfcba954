-- +goose Up
-- What a fact led to that cannot be taken back: a player was told of it, a hold was spent on it. A reorganisation brings
-- facts again, in the same block or in another one; an effect of theirs that is noted here is not repeated.
CREATE TABLE fact_effect (
    chain_id     BIGINT NOT NULL,
    tx_hash      TEXT   NOT NULL,
    -- The kind of event, the listing's number, and how many such events stand before it in the transaction.
    fact         TEXT   NOT NULL,
    -- The block in which the fact was seen first.
    block_number BIGINT NOT NULL,
    PRIMARY KEY (chain_id, tx_hash, fact)
);
CREATE INDEX fact_effect_block ON fact_effect (chain_id, block_number);

-- +goose Down
DROP TABLE fact_effect;
