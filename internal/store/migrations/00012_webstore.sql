-- +goose Up
-- Players' ways to the shop. The id, signed, is the order reference that the shop keeps with the order. They outlive their
-- player's account: what is paid with one later is a deleted player's order, whom operators can name.
CREATE TABLE shop_hand_off (
    id           TEXT   PRIMARY KEY,
    player_id    TEXT   NOT NULL,
    variation_id BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    -- 1 if it was for something that is drawn: age and country were checked before.
    chance       BIGINT NOT NULL DEFAULT 0,
    -- What it fixes before there is an order: the packs that were sold then ('' and 0 for other goods), and what the buyer's
    -- browser has chosen ('' for nothing).
    kind         TEXT   NOT NULL DEFAULT '',
    edition      BIGINT NOT NULL DEFAULT 0,
    nonce        TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX shop_hand_off_player ON shop_hand_off (player_id, created_at);
-- Hand-offs are dropped when they are old.
CREATE INDEX shop_hand_off_created ON shop_hand_off (created_at);

-- Orders that may have changed in the shop and are to be fetched.
CREATE TABLE shop_hint (
    order_id BIGINT PRIMARY KEY,
    -- Raised by each hint: one that comes while the order is settled is not lost.
    seq      BIGINT NOT NULL,
    heard_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    due_at   BIGINT NOT NULL,
    error    TEXT   NOT NULL DEFAULT ''
);
CREATE INDEX shop_hint_due ON shop_hint (due_at, order_id);
CREATE INDEX shop_hint_failed ON shop_hint (heard_at) WHERE error <> '';

-- The shop's time of the last change of an order that is known here, so that polls leave it out.
CREATE TABLE shop_seen (
    order_id   BIGINT PRIMARY KEY,
    changed_at BIGINT NOT NULL
);
CREATE INDEX shop_seen_changed ON shop_seen (changed_at);

-- One row: how far the shop's changes were polled.
CREATE TABLE shop_poll (
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    until BIGINT NOT NULL
);

-- What the shop asks for variations, as it was last fetched.
CREATE TABLE shop_offer (
    variation_id BIGINT PRIMARY KEY,
    -- Of one, decimal.
    price        TEXT   NOT NULL,
    in_stock     BIGINT NOT NULL,
    fetched_at   BIGINT NOT NULL
);

-- Paid orders.
CREATE TABLE shop_order (
    id          BIGINT PRIMARY KEY,
    number      TEXT   NOT NULL,
    -- NULL while nobody knows whose it is, and when its player is deleted.
    player_id   TEXT REFERENCES player (id) ON DELETE SET NULL,
    status      TEXT   NOT NULL,
    -- When it was first seen as paid.
    paid_at     BIGINT NOT NULL,
    -- Why it waits for an operator; '' for one that does not.
    problem     TEXT   NOT NULL,
    -- What operators should know, a JSON list of texts.
    notes       TEXT   NOT NULL,
    -- The hand-offs that its references name, a JSON list of ids.
    hand_offs   TEXT   NOT NULL,
    updated_at  BIGINT NOT NULL,
    -- When the payment was disputed, or failed afterwards; 0 if it never was, or an operator forgave it.
    disputed_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX shop_order_player ON shop_order (player_id, paid_at, id);
CREATE INDEX shop_order_problem ON shop_order (paid_at) WHERE problem <> '';
CREATE INDEX shop_order_paid ON shop_order (paid_at);

-- The lines of paid orders, as they were then.
CREATE TABLE shop_line (
    order_id     BIGINT NOT NULL REFERENCES shop_order (id) ON DELETE CASCADE,
    id           BIGINT NOT NULL,
    variation_id BIGINT NOT NULL,
    name         TEXT   NOT NULL,
    quantity     BIGINT NOT NULL,
    -- Units taken back: the last ones.
    back         BIGINT NOT NULL DEFAULT 0,
    -- What one unit gives, as JSON; '' while the catalogue does not know the variation.
    contents     TEXT   NOT NULL DEFAULT '',
    -- Units whose rewards were recorded: the first ones.
    given        BIGINT NOT NULL DEFAULT 0,
    -- Why the other units wait for an operator; '' for a line that does not.
    waits        TEXT   NOT NULL DEFAULT '',
    -- What it is worth, in millionths of the shop's currency.
    value        BIGINT NOT NULL DEFAULT 0,
    -- When what can change hands is given at the earliest; 0 for a line without.
    give_at      BIGINT NOT NULL DEFAULT 0,
    -- The edition of its packs, and the nonce of their draws; 0 and '' for other goods, and until its contents are known.
    edition      BIGINT NOT NULL DEFAULT 0,
    nonce        TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (order_id, id)
);
-- Lines that the catalogue did not know are given once it does.
CREATE INDEX shop_line_unknown ON shop_line (order_id) WHERE contents = '';
CREATE INDEX shop_line_waits ON shop_line (order_id) WHERE waits <> '';

-- What players got and did not pay for in the end, by the grant.
CREATE TABLE shop_debt (
    source        TEXT   NOT NULL,
    number        BIGINT NOT NULL,
    player_id     TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    kind          TEXT   NOT NULL,
    detail        TEXT   NOT NULL,
    -- What is left of it: of a currency, or copies of a token.
    amount        BIGINT NOT NULL,
    -- What is being taken from a balance outside the database.
    taking        BIGINT NOT NULL DEFAULT 0,
    -- sending (its grant is on its way), open, settled, forgiven or void (the grant failed).
    state         TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    -- How often a balance was too low for what was being taken: each attempt is a debit of its own.
    attempts      BIGINT NOT NULL DEFAULT 0,
    -- What the card paid for all of it, in millionths of the shop's currency; 0 if that is not known.
    price         BIGINT NOT NULL DEFAULT 0,
    -- The operation that pays for it, its chain and its nonce; '' and 0 for none. It stays when the operation is dropped.
    operation     TEXT   NOT NULL DEFAULT '',
    chain_id      BIGINT NOT NULL DEFAULT 0,
    nonce         TEXT   NOT NULL DEFAULT '',
    -- What the operation pays for it, in base units of USDC; 0 once the debt was changed after the operation was signed.
    paying        BIGINT NOT NULL DEFAULT 0,
    -- 1 from when the relay has accepted the operation until it is dropped or on chain.
    in_flight     BIGINT NOT NULL DEFAULT 0,
    -- The block with the operation; 0 for none.
    settled_block BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (source, number)
);
CREATE INDEX shop_debt_open ON shop_debt (player_id) WHERE state IN ('sending', 'open');
CREATE INDEX shop_debt_operation ON shop_debt (operation) WHERE operation <> '';
CREATE INDEX shop_debt_settled ON shop_debt (chain_id, settled_block) WHERE settled_block > 0;
