-- +goose Up
-- A seller's listings of a token are covered by what the seller holds, in the order of their creation. From now on quantity is
-- how many units of a valid listing are covered, and so on offer.
ALTER TABLE listing
    -- How many units are left by the marketplace's contract.
    ADD COLUMN listed BIGINT NOT NULL DEFAULT 0;
-- lapsed was a flag. It becomes the number of units that were without goods at the end of any block since the terms were last set.
UPDATE listing SET listed = quantity, lapsed = CASE WHEN lapsed = 1 AND status = 'active' THEN quantity ELSE 0 END;
UPDATE listing SET quantity = COALESCE((
    SELECT CASE WHEN c.held <= c.before THEN 0 WHEN c.held - c.before < c.quantity THEN c.held - c.before ELSE c.quantity END
    FROM (
        SELECT l.id, l.quantity,
               SUM(l.quantity) OVER (PARTITION BY l.chain_id, l.seller, l.contract, l.token_id
                                     ORDER BY 1 - l.browsable, l.created_at, LENGTH(l.listing_id), l.listing_id ROWS UNBOUNDED PRECEDING) - l.quantity AS before,
               (SELECT CASE WHEN LENGTH(h.amount) > 18 THEN 999999999999999999 ELSE CAST(h.amount AS BIGINT) END FROM holding h
                WHERE h.chain_id = l.chain_id AND h.contract = l.contract AND h.token_id = l.token_id AND h.owner = l.seller) AS held
        FROM listing l WHERE l.valid = 1
    ) c WHERE c.id = listing.id), 0)
WHERE valid = 1;
UPDATE listing SET quantity = listed, valid = 0, browsable = 0 WHERE valid = 1 AND quantity = 0;
DELETE FROM cart_hold WHERE NOT EXISTS (SELECT 1 FROM listing l WHERE l.id = cart_hold.listing_id AND l.valid = 1 AND cart_hold.unit < l.quantity);
UPDATE rarity_count SET listed = (
    SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.contract = rarity_count.contract AND l.collection = rarity_count.collection
        AND l.rarity = rarity_count.rarity AND l.rarity_rank = rarity_count.rarity_rank);
UPDATE trait_count SET listed = (
    SELECT COUNT(*) FROM listing l JOIN token_trait x ON x.contract = l.contract AND x.token_id = l.token_id
    WHERE l.browsable = 1 AND l.contract = trait_count.contract AND l.collection = trait_count.collection
        AND x.trait = trait_count.trait AND x.value = trait_count.value);

-- +goose Down
UPDATE listing SET quantity = listed, lapsed = CASE WHEN lapsed > 0 THEN 1 ELSE 0 END;
ALTER TABLE listing DROP COLUMN listed;
