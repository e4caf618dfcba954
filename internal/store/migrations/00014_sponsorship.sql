-- +goose Up
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
    expires_at BIGINT NOT NULL
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

DROP TABLE gas_usage;

-- +goose Down
CREATE TABLE gas_usage (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    span       TEXT   NOT NULL,
    starts_at  BIGINT NOT NULL,
    operations BIGINT NOT NULL,
    gas        BIGINT NOT NULL,
    PRIMARY KEY (player_id, span)
);
DROP TABLE gas_raise;
DROP TABLE gas_budget;
DROP TABLE sponsorship;
