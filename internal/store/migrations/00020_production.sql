-- +goose Up

-- The fencing number rises each time that another process takes the lease: writes of its former holders are refused. It is part of a key,
-- so that changing it waits for transactions that have locked the key (FOR KEY SHARE), and renewing the lease does not.
ALTER TABLE lease ADD COLUMN process TEXT NOT NULL DEFAULT '';
ALTER TABLE lease ADD COLUMN fence BIGINT NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX lease_fence ON lease (name, fence);

-- The processes that run the portal on this database.
CREATE TABLE replica (
    -- Of the data folder.
    id         TEXT PRIMARY KEY,
    -- Of the process: another one with the same id is refused while this one is seen.
    process    TEXT   NOT NULL,
    version    TEXT   NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

-- One row: the oldest version of the schema whose programs can still use the database. Whatever an older program would stumble over is
-- changed one release later than what takes its place, and raises this.
CREATE TABLE schema_support (
    oldest BIGINT NOT NULL
);
INSERT INTO schema_support (oldest) VALUES (19);

-- Metrics count the orders that have lately changed.
CREATE INDEX purchase_order_updated ON purchase_order (updated_at);
