-- +goose Up
-- What operators changed by commands.
CREATE TABLE operator_log (
    id      TEXT   PRIMARY KEY,
    at      BIGINT NOT NULL,
    -- The account of the operating system that ran the command.
    who     TEXT   NOT NULL,
    command TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    reason  TEXT   NOT NULL
);
CREATE INDEX operator_log_at ON operator_log (at);

-- +goose Down
DROP TABLE operator_log;
