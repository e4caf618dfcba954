-- +goose Up
-- Messages that share a transaction with the effect they tell of.
CREATE TABLE outbox (
    id         TEXT PRIMARY KEY,
    topic      TEXT   NOT NULL,
    target     TEXT   NOT NULL,
    payload    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Which replica carries a background role, and until when.
CREATE TABLE lease (
    name       TEXT PRIMARY KEY,
    holder     TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Letters the portal owes, written in the transaction of their cause.
CREATE TABLE mail (
    -- UUIDv7: in the order in which they were written.
    id         TEXT PRIMARY KEY,
    -- Whose account it is about, so that it goes with the account; '' for none.
    player_id  TEXT   NOT NULL,
    -- Recipient, reply address and body go once the letter is sent or given up: a body may hold a link or a code.
    recipient  TEXT   NOT NULL,
    -- Whom an answer goes to; '' for the sender.
    reply_to   TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    -- pending, sent or failed; void: for nobody, written so that an unknown address takes as long as a known one
    state      TEXT   NOT NULL,
    attempts   BIGINT NOT NULL DEFAULT 0,
    error      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    -- When it is tried next, and from when on it is of no use.
    due_at     BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX mail_due ON mail (due_at, id) WHERE state = 'pending';
CREATE INDEX mail_player ON mail (player_id) WHERE player_id <> '';

-- Addresses that want to hear when the game opens; struck out when they have been told, or before if they ask.
CREATE TABLE pre_registration (
    -- Lower case: two spellings are one address.
    email_key  TEXT PRIMARY KEY,
    email      TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- What people write to the house without signing in.
CREATE TABLE support_letter (
    -- UUIDv7: in the order in which they came.
    id         TEXT PRIMARY KEY,
    email      TEXT   NOT NULL,
    topic      TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- What the players' browsers report of themselves, as it came, within bounds of age and number.
CREATE TABLE monitoring_report (
    -- UUIDv7: in the order in which they came.
    id          TEXT PRIMARY KEY,
    -- rum, logs or replay
    kind        TEXT   NOT NULL,
    -- The id of the monitoring's session, which is no player's; '' where none is named.
    session     TEXT   NOT NULL,
    -- How many of the events are errors.
    errors      BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    -- JSON objects, one a line.
    events      TEXT   NOT NULL,
    -- The length of the events, in bytes; in an index, so that adding them up does not read them.
    size        BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX monitoring_report_kind ON monitoring_report (kind, id, size);
CREATE INDEX monitoring_report_received ON monitoring_report (received_at);

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
