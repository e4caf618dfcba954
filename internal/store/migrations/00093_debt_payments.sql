-- +goose Up
-- What the card paid for all of it, in millionths of the shop's currency; 0 if that is not known.
ALTER TABLE shop_debt ADD COLUMN price BIGINT NOT NULL DEFAULT 0;
-- The operation that pays for it, its chain and its nonce; '' and 0 for none. It stays when the operation is dropped.
ALTER TABLE shop_debt ADD COLUMN operation TEXT NOT NULL DEFAULT '';
ALTER TABLE shop_debt ADD COLUMN chain_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shop_debt ADD COLUMN nonce TEXT NOT NULL DEFAULT '';
-- What the operation pays for it, in base units of USDC; 0 once the debt was changed after the operation was signed.
ALTER TABLE shop_debt ADD COLUMN paying BIGINT NOT NULL DEFAULT 0;
-- 1 from when the relay has accepted the operation until it is dropped or on chain.
ALTER TABLE shop_debt ADD COLUMN in_flight BIGINT NOT NULL DEFAULT 0;
-- The block with the operation; 0 for none.
ALTER TABLE shop_debt ADD COLUMN settled_block BIGINT NOT NULL DEFAULT 0;
CREATE INDEX shop_debt_operation ON shop_debt (operation) WHERE operation <> '';
CREATE INDEX shop_debt_settled ON shop_debt (chain_id, settled_block) WHERE settled_block > 0;

-- +goose Down
DROP INDEX shop_debt_settled;
DROP INDEX shop_debt_operation;
ALTER TABLE shop_debt DROP COLUMN settled_block;
ALTER TABLE shop_debt DROP COLUMN in_flight;
ALTER TABLE shop_debt DROP COLUMN paying;
ALTER TABLE shop_debt DROP COLUMN nonce;
ALTER TABLE shop_debt DROP COLUMN chain_id;
ALTER TABLE shop_debt DROP COLUMN operation;
ALTER TABLE shop_debt DROP COLUMN price;
