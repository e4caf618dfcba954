-- +goose Up
-- A chain whose collections move to another chain. What stands on it is frozen for good, unless the move is cancelled before it is done.
CREATE TABLE chain_move (
    from_chain    BIGINT PRIMARY KEY,
    -- frozen, snapshotted or moved
    state         TEXT   NOT NULL,
    frozen_at     BIGINT NOT NULL,
    -- What the snapshot waits for.
    waits         TEXT   NOT NULL DEFAULT '',
    -- The block of the snapshot; -1 until it is chosen.
    block_number  BIGINT NOT NULL DEFAULT -1,
    block_hash    TEXT   NOT NULL DEFAULT '',
    block_time    BIGINT NOT NULL DEFAULT 0,
    -- SHA-256 of the snapshot's text in hexadecimal; '' until it is complete.
    snapshot_hash TEXT   NOT NULL DEFAULT '',
    snapshot_at   BIGINT NOT NULL DEFAULT 0,
    holdings      BIGINT NOT NULL DEFAULT 0,
    -- What makes the players' smart wallets on both chains.
    factory       TEXT   NOT NULL,
    -- What the market trades in there, which does not move.
    currency      TEXT   NOT NULL,
    -- 1 for the main chain, 0 for the game chain.
    main          BIGINT NOT NULL,
    to_chain      BIGINT NOT NULL DEFAULT 0,
    moved_at      BIGINT NOT NULL DEFAULT 0
);

-- The supplies in a snapshot. Of unique tokens the collection's are counted together, with the token_id ''.
CREATE TABLE move_supply (
    from_chain  BIGINT NOT NULL,
    contract    TEXT   NOT NULL,
    token_id    TEXT   NOT NULL,
    standard    TEXT   NOT NULL,
    -- The slug, or the symbol of a currency.
    collection  TEXT   NOT NULL,
    minted      TEXT   NOT NULL,
    burned      TEXT   NOT NULL,
    -- How many could ever be minted; '' for no limit.
    cap         TEXT   NOT NULL,
    -- On the other chain; '' until it is known.
    to_contract TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (from_chain, contract, token_id)
);

-- The holdings in a snapshot, in the order of its text: by contract, token (as a number) and owner.
CREATE TABLE move_holding (
    from_chain BIGINT NOT NULL,
    position   BIGINT NOT NULL,
    contract   TEXT   NOT NULL,
    standard   TEXT   NOT NULL,
    token_id   TEXT   NOT NULL,
    owner      TEXT   NOT NULL,
    amount     TEXT   NOT NULL,
    -- 1 if the owner is a contract, and no smart wallet of the portal: on another chain somebody else may have its address.
    foreign_contract BIGINT NOT NULL DEFAULT 0,
    -- When it was claimed; 0 until then. Its reward has the source move/<chain>/<position>.
    claimed_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (from_chain, position)
);
CREATE INDEX move_holding_owner ON move_holding (from_chain, owner, position);
CREATE INDEX move_holding_unclaimed ON move_holding (from_chain, owner, position) WHERE claimed_at = 0;
CREATE INDEX move_holding_token ON move_holding (from_chain, contract, token_id);
