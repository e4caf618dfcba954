-- +goose Up
-- The risk of the trades that operations of a player make; see package traderisk. Only one operation with a nonce can
-- succeed, so a row stands for all that were signed with it.
CREATE TABLE trade_risk (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    wallet     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    -- In base units of the market's currency; 0 for an operation that its player has approved.
    risk       BIGINT NOT NULL,
    charged_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, wallet, nonce)
);
CREATE INDEX trade_risk_recent ON trade_risk (player_id, charged_at);

-- What these operations pay to other sellers than the portal.
CREATE TABLE trade_payment (
    player_id  TEXT   NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    wallet     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    seller     TEXT   NOT NULL,
    amount     BIGINT NOT NULL,
    charged_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, wallet, nonce, seller)
);
CREATE INDEX trade_payment_recent ON trade_payment (player_id, charged_at);
