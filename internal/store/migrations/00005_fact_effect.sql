-- +goose Up
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

-- +goose Down
DROP TABLE fact_effect;
