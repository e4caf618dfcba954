-- +goose Up
-- Sponsored transactions: what the portal's own wallets send, and the players' user operations that it pays for.

CREATE TABLE gas_sender (
    chain_id   BIGINT NOT NULL,
    address    TEXT   NOT NULL,
    next_nonce BIGINT NOT NULL,
    PRIMARY KEY (chain_id, address)
);

CREATE TABLE gas_transaction (
    -- Chosen by whoever asks for the transaction: the same id is never sent twice.
    id           TEXT PRIMARY KEY,
    chain_id     BIGINT NOT NULL,
    sender       TEXT   NOT NULL,
    target       TEXT   NOT NULL,
    value        TEXT   NOT NULL,
    data         TEXT   NOT NULL,
    gas_limit    BIGINT NOT NULL,
    -- pending, sent, mined or failed
    state        TEXT   NOT NULL,
    -- -1 until it is signed.
    nonce        BIGINT NOT NULL DEFAULT -1,
    tx_hash      TEXT   NOT NULL DEFAULT '',
    -- The including block; '' for none.
    block_hash   TEXT   NOT NULL DEFAULT '',
    block_number BIGINT NOT NULL DEFAULT 0,
    reason       TEXT   NOT NULL DEFAULT '',
    -- 1 when its block is too deep to vanish.
    final        BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX gas_transaction_pending ON gas_transaction (chain_id, created_at, id) WHERE state = 'pending';
CREATE INDEX gas_transaction_sent ON gas_transaction (chain_id, sender, nonce) WHERE state = 'sent';
CREATE INDEX gas_transaction_mined ON gas_transaction (chain_id, block_number) WHERE block_hash <> '' AND final = 0;
CREATE UNIQUE INDEX gas_transaction_nonce ON gas_transaction (chain_id, sender, nonce) WHERE nonce >= 0;

-- Each signed form of a transaction, kept before it is broadcast. All forms of one have the same nonce.
CREATE TABLE gas_attempt (
    tx_hash        TEXT PRIMARY KEY,
    transaction_id TEXT   NOT NULL REFERENCES gas_transaction (id) ON DELETE CASCADE,
    seq            BIGINT NOT NULL,
    raw            TEXT   NOT NULL,
    fee_cap        TEXT   NOT NULL,
    tip_cap        TEXT   NOT NULL,
    -- The chain's height when it was signed.
    at_block       BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    UNIQUE (transaction_id, seq)
);

CREATE TABLE gas_operation (
    hash        TEXT PRIMARY KEY,
    chain_id    BIGINT NOT NULL,
    entry_point TEXT   NOT NULL,
    player_id   TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    sender      TEXT   NOT NULL,
    nonce       TEXT   NOT NULL,
    -- The operation as JSON-RPC writes it.
    operation   TEXT   NOT NULL,
    -- queued, sent, included, failed or dropped
    state       TEXT   NOT NULL,
    reason      TEXT   NOT NULL DEFAULT '',
    -- The gas_transaction that carries it; '' for none.
    bundle      TEXT   NOT NULL DEFAULT '',
    tx_hash     TEXT   NOT NULL DEFAULT '',
    block_hash  TEXT   NOT NULL DEFAULT '',
    reverts     BIGINT NOT NULL DEFAULT 0,
    -- The last step observers have heard of, and 1 while they have not heard of the newest.
    told        BIGINT NOT NULL DEFAULT 0,
    untold      BIGINT NOT NULL DEFAULT 1,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX gas_operation_queued ON gas_operation (chain_id, created_at, hash) WHERE state = 'queued' AND bundle = '';
CREATE INDEX gas_operation_sent ON gas_operation (chain_id, bundle) WHERE state = 'sent';
CREATE INDEX gas_operation_bundle ON gas_operation (bundle) WHERE bundle <> '';
CREATE INDEX gas_operation_untold ON gas_operation (chain_id, updated_at, hash) WHERE untold = 1;
CREATE INDEX gas_operation_player ON gas_operation (player_id);
-- An account's nonce is good for one operation; only one that was dropped frees it.
CREATE UNIQUE INDEX gas_operation_nonce ON gas_operation (chain_id, sender, nonce) WHERE state <> 'dropped';

-- The portal's promises to pay for one operation each, until they are used and settled, or end unused. Rows and counters
-- outlive their player: who deletes an account and comes back has spent what was spent.
CREATE TABLE sponsorship (
    -- The operation's hash.
    operation  TEXT PRIMARY KEY,
    chain_id   BIGINT NOT NULL,
    player_id  TEXT   NOT NULL,
    session_id TEXT   NOT NULL,
    network    TEXT   NOT NULL,
    sender     TEXT   NOT NULL,
    -- The sequence number of the operation's nonce.
    nonce      BIGINT NOT NULL,
    -- 1 where not only the portal's relayers can send the operation. What it costs is then counted in full, used or not.
    public     BIGINT NOT NULL,
    -- 1 for a player who had not bought before; it counts against the newcomers' half.
    newcomer   BIGINT NOT NULL,
    -- What it may cost at most, in gwei, rounded up.
    gwei       BIGINT NOT NULL,
    -- reserved or used
    state      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- 1 for an operation that buys. The others must leave a quarter of the budget to these.
    purchase   BIGINT NOT NULL DEFAULT 0
);
-- An account has one unused sponsorship.
CREATE UNIQUE INDEX sponsorship_account ON sponsorship (chain_id, sender) WHERE state = 'reserved';
CREATE INDEX sponsorship_expiry ON sponsorship (chain_id, expires_at) WHERE state = 'reserved';

-- What is spent of a chain's budget in the window that began at starts_at.
CREATE TABLE gas_budget (
    chain_id   BIGINT NOT NULL,
    -- player-minute, player-day, network-day, newcomers-day or chain-day
    scope      TEXT   NOT NULL,
    -- The player's id or the network's tag; '' for everybody.
    subject    TEXT   NOT NULL,
    starts_at  BIGINT NOT NULL,
    operations BIGINT NOT NULL,
    gwei       BIGINT NOT NULL,
    PRIMARY KEY (chain_id, scope, subject)
);
CREATE INDEX gas_budget_age ON gas_budget (starts_at);

-- By how much the operator raised a chain's budget for the day that began at starts_at.
CREATE TABLE gas_raise (
    chain_id   BIGINT NOT NULL,
    starts_at  BIGINT NOT NULL,
    operations BIGINT NOT NULL,
    gwei       BIGINT NOT NULL,
    PRIMARY KEY (chain_id, starts_at)
);
