-- +goose Up
-- What keeps the portal within its bounds: which key the wallets are sealed with, how large reports are, which sessions
-- have yet to end.

-- The fingerprint of the key that seals the wallets, from the first start on: a process with another key does not start.
CREATE TABLE signer_key (
    id          BIGINT PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT   NOT NULL,
    kept_at     BIGINT NOT NULL
);

-- The length of the events, in bytes; in an index, so that adding them up does not read them.
ALTER TABLE monitoring_report ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
UPDATE monitoring_report SET size = OCTET_LENGTH(events);
DROP INDEX monitoring_report_kind;
CREATE INDEX monitoring_report_kind ON monitoring_report (kind, id, size);

-- Sessions end once: when they are revoked, or by their time.
CREATE INDEX session_unended ON session (expires_at) WHERE revoked_at = 0;

-- +goose Down
DROP INDEX session_unended;
DROP INDEX monitoring_report_kind;
CREATE INDEX monitoring_report_kind ON monitoring_report (kind, id);
ALTER TABLE monitoring_report DROP COLUMN size;
DROP TABLE signer_key;
