-- +goose Up
-- What people write to the house without signing in.

-- Addresses that want to hear when the game opens; struck out when they have been told, or before if they ask.
CREATE TABLE pre_registration (
    -- Lower case: two spellings are one address.
    email_key  TEXT PRIMARY KEY,
    email      TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE support_letter (
    -- UUIDv7: in the order in which they came.
    id         TEXT PRIMARY KEY,
    email      TEXT   NOT NULL,
    topic      TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE support_letter;
DROP TABLE pre_registration;
