-- +goose Up
-- The fingerprint of the key that a wallet's key is sealed with; empty for wallets of earlier releases, which have one key.
ALTER TABLE wallet ADD COLUMN sealed_by TEXT NOT NULL DEFAULT '';

-- The fingerprints of the keys that a replica has, separated by spaces; empty for an earlier release.
ALTER TABLE replica ADD COLUMN signer_keys TEXT NOT NULL DEFAULT '';
