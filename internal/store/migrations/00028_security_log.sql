-- +goose Up
-- The security log: who did what, when and from where. An entry is committed with what it tells of, and joins the chain within a second;
-- see package securitylog.
CREATE TABLE security_entry (
    id         TEXT PRIMARY KEY,
    -- Its place in the chain, from 1; NULL until it has one.
    sequence   BIGINT UNIQUE,
    at         BIGINT NOT NULL,
    -- Such as session.opened, or an operator's command.
    event      TEXT   NOT NULL,
    -- player, visitor, operator or portal
    actor_kind TEXT   NOT NULL,
    actor      TEXT   NOT NULL,
    -- Whom or what it concerns: a player's id, or else an order, a chain and the like.
    subject    TEXT   NOT NULL,
    session_id TEXT   NOT NULL,
    -- A tag of the network, which tells networks of one month apart.
    network    TEXT   NOT NULL,
    -- '' if it was done, else why it was refused.
    refusal    TEXT   NOT NULL,
    detail     TEXT   NOT NULL,
    reason     TEXT   NOT NULL,
    -- SHA-256 of the entry and of the hash before it, in hexadecimal; '' until it is in the chain.
    hash       TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX security_entry_unchained ON security_entry (at, id) WHERE sequence IS NULL;
CREATE INDEX security_entry_at ON security_entry (at, id);
CREATE INDEX security_entry_subject ON security_entry (subject, at, id);
CREATE INDEX security_entry_actor ON security_entry (actor_kind, at, id);
CREATE INDEX security_entry_event ON security_entry (event, at, id);

-- The ends of the chain: the newest entry, and the last that was removed because of its age. One row.
CREATE TABLE security_chain (
    id               BIGINT PRIMARY KEY,
    sequence         BIGINT NOT NULL,
    hash             TEXT   NOT NULL,
    removed_sequence BIGINT NOT NULL,
    removed_hash     TEXT   NOT NULL
);
INSERT INTO security_chain (id, sequence, hash, removed_sequence, removed_hash) VALUES (1, 0, '', 0, '');

-- The keys of the tags of networks, one a month, such as 2026-12. Those of earlier months are deleted.
CREATE TABLE security_network_key (
    month TEXT PRIMARY KEY,
    key   TEXT NOT NULL
);

-- Operators' acts are in the security log from now on. The version before this one still writes here.
INSERT INTO security_entry (id, at, event, actor_kind, actor, subject, session_id, network, refusal, detail, reason)
SELECT id, at, command, 'operator', who, subject, '', '', '', detail, reason FROM operator_log;
