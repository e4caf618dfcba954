-- +goose Up
-- Attempts at an account from a network, such as wrong passwords, by period: all replicas count here. The key is a hash.
CREATE TABLE attempt (
    key        TEXT NOT NULL,
    begins_at  BIGINT NOT NULL, -- of the period
    made       BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, -- when it no longer counts
    PRIMARY KEY (key, begins_at)
);
CREATE INDEX attempt_expires_at ON attempt (expires_at);
