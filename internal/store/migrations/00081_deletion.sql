-- +goose Up
-- Accounts that are deleted later, with all that their players give up. (deletion_code is unused from here on.)
CREATE TABLE deletion_request (
    player_id    TEXT PRIMARY KEY REFERENCES player (id) ON DELETE CASCADE,
    requested_at BIGINT NOT NULL,
    -- When the account is deleted at the earliest.
    due_at       BIGINT NOT NULL,
    -- When the deletion is tried next.
    next_at      BIGINT NOT NULL,
    -- The token of the emailed link that cancels it; '' for none.
    cancel_hash  TEXT   NOT NULL
);
CREATE INDEX deletion_request_next ON deletion_request (next_at);
CREATE INDEX deletion_request_cancel ON deletion_request (cancel_hash) WHERE cancel_hash <> '';

-- Wallets of accounts that are deleted or will be: nothing is bought from them. They outlive their accounts.
CREATE TABLE closed_wallet (
    address   TEXT PRIMARY KEY,
    -- closing or reopening until the index has settled the wallet's listings; closed
    state     TEXT   NOT NULL,
    closed_at BIGINT NOT NULL
);
CREATE INDEX closed_wallet_unsettled ON closed_wallet (address) WHERE state <> 'closed';

-- +goose Down
DROP TABLE closed_wallet;
DROP TABLE deletion_request;
