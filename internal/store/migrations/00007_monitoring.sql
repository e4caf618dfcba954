-- +goose Up
-- What the players' browsers report of themselves, as it came, within bounds of age and number.
CREATE TABLE monitoring_report (
    -- UUIDv7: in the order in which they came.
    id          TEXT PRIMARY KEY,
    -- rum, logs or replay
    kind        TEXT   NOT NULL,
    -- the id of the monitoring's session, which is no player's; '' where none is named
    session     TEXT   NOT NULL,
    -- how many of the events are errors
    errors      BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    -- JSON objects, one a line
    events      TEXT   NOT NULL
);
CREATE INDEX monitoring_report_kind ON monitoring_report (kind, id);
CREATE INDEX monitoring_report_received ON monitoring_report (received_at);

-- +goose Down
DROP TABLE monitoring_report;
