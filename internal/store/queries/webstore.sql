-- name: InsertHandOff :exec
INSERT INTO shop_hand_off (id, player_id, variation_id, created_at, chance, kind, edition, nonce) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: CountChanceHandOffs :one
SELECT CAST(COUNT(*) AS BIGINT) FROM shop_hand_off WHERE player_id = $1 AND chance = 1;

-- name: DropHandOffs :exec
DELETE FROM shop_hand_off WHERE created_at < $1;

-- name: HandOff :one
SELECT * FROM shop_hand_off WHERE id = $1;

-- name: OpenHandOff :one
-- The newest that no order came from.
SELECT * FROM shop_hand_off h WHERE h.player_id = $1 AND h.variation_id = $2
  AND NOT EXISTS (SELECT 1 FROM shop_order o WHERE o.player_id = h.player_id AND o.hand_offs LIKE '%"' || h.id || '"%')
ORDER BY h.created_at DESC, h.id DESC LIMIT 1;

-- name: PutShopHint :exec
INSERT INTO shop_hint (order_id, seq, heard_at, due_at) VALUES ($1, 1, $2, $2)
ON CONFLICT (order_id) DO UPDATE SET seq = shop_hint.seq + 1, due_at = excluded.due_at, attempts = 0;

-- name: DueShopHints :many
SELECT * FROM shop_hint WHERE due_at <= $1 ORDER BY due_at, order_id LIMIT $2;

-- name: PostponeShopHint :exec
UPDATE shop_hint SET attempts = $1, due_at = $2, error = $3 WHERE order_id = $4 AND seq = $5;

-- name: DropShopHint :exec
DELETE FROM shop_hint WHERE order_id = $1 AND seq = $2;

-- name: FailedShopHints :many
-- Orders that the shop reported and that could not be settled, for operators.
SELECT * FROM shop_hint WHERE error <> '' ORDER BY heard_at LIMIT $1;

-- name: ShopBacklog :one
-- How many orders wait to be fetched and since when, and how many wait for an operator.
SELECT CAST((SELECT COUNT(*) FROM shop_hint) AS BIGINT) AS hints,
  CAST((SELECT COALESCE(MIN(heard_at), 0) FROM shop_hint) AS BIGINT) AS since,
  CAST((SELECT COUNT(*) FROM shop_order o WHERE o.problem <> '' OR o.id IN (SELECT l.order_id FROM shop_line l WHERE l.waits <> '')) AS BIGINT) AS problems;

-- name: ShopSeen :one
SELECT changed_at FROM shop_seen WHERE order_id = $1;

-- name: PutShopSeen :exec
INSERT INTO shop_seen (order_id, changed_at) VALUES ($1, $2) ON CONFLICT (order_id) DO UPDATE SET changed_at = excluded.changed_at;

-- name: DropShopSeen :exec
DELETE FROM shop_seen WHERE changed_at < $1;

-- name: ShopPolledUntil :one
SELECT until FROM shop_poll WHERE id = 1;

-- name: PutShopPolledUntil :exec
INSERT INTO shop_poll (id, until) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET until = excluded.until;

-- name: ShopOrder :one
SELECT * FROM shop_order WHERE id = $1;

-- name: LockShopOrder :exec
UPDATE shop_order SET updated_at = updated_at WHERE id = $1;

-- name: PutShopOrder :exec
-- Only an operator changes the player of an existing order, and its problem.
INSERT INTO shop_order (id, number, player_id, status, paid_at, problem, notes, hand_offs, updated_at, disputed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, notes = excluded.notes, updated_at = excluded.updated_at, disputed_at = excluded.disputed_at;

-- name: ShopLines :many
SELECT * FROM shop_line WHERE order_id = $1 ORDER BY id;

-- name: PutShopLine :exec
INSERT INTO shop_line (order_id, id, variation_id, name, quantity, back, contents, given, waits, value, give_at, edition, nonce)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (order_id, id) DO UPDATE SET quantity = excluded.quantity, back = excluded.back, contents = excluded.contents,
  given = excluded.given, waits = excluded.waits, value = excluded.value, give_at = excluded.give_at,
  edition = excluded.edition, nonce = excluded.nonce;

-- name: UnknownShopLines :many
SELECT l.order_id, l.variation_id FROM shop_line l JOIN shop_order o ON o.id = l.order_id
WHERE l.contents = '' AND l.back < l.quantity AND o.status IN ('processing', 'completed') ORDER BY l.order_id, l.id;

-- name: ShopOrdersOf :many
SELECT * FROM shop_order WHERE player_id = $1 AND (paid_at, id) < (CAST(sqlc.arg(before_time) AS BIGINT), CAST(sqlc.arg(before_id) AS BIGINT))
ORDER BY paid_at DESC, id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: ShopOrderOfHandOff :one
SELECT * FROM shop_order WHERE player_id = $1 AND hand_offs LIKE CAST(sqlc.arg(pattern) AS TEXT) ORDER BY paid_at DESC LIMIT 1;

-- name: BoughtOfVariations :many
-- How many units of each variation a player has paid for and kept.
SELECT l.variation_id, CAST(SUM(l.quantity - l.back) AS BIGINT) AS bought
FROM shop_order o JOIN shop_line l ON l.order_id = o.id WHERE o.player_id = $1 AND o.id <> sqlc.arg(but) GROUP BY l.variation_id;

-- name: CardUseOf :one
-- What a player paid for; see webstore.CardUse. A value of 0 is no payment. Of a line that waits, what was given counts.
SELECT CAST(COALESCE(MIN(CASE WHEN o.status IN ('processing', 'completed') AND l.value > 0 AND l.back < l.quantity AND l.waits = ''
    THEN o.paid_at END), 0) AS BIGINT) AS first,
  CAST(COALESCE(MAX(o.disputed_at), 0) AS BIGINT) AS disputed_at,
  CAST(COALESCE(SUM(CASE WHEN o.paid_at > sqlc.arg(since) AND l.give_at = o.paid_at
    THEN CASE WHEN l.waits = '' THEN l.value ELSE COALESCE(l.value * l.given / NULLIF(l.quantity, 0), 0) END
    ELSE 0 END), 0) AS BIGINT) AS instant,
  CAST(COALESCE(SUM(CASE WHEN o.paid_at > sqlc.arg(since) AND l.give_at > 0
    THEN CASE WHEN l.waits = '' THEN l.value ELSE COALESCE(l.value * l.given / NULLIF(l.quantity, 0), 0) END
    ELSE 0 END), 0) AS BIGINT) AS own
FROM shop_order o JOIN shop_line l ON l.order_id = o.id WHERE o.player_id = sqlc.arg(player_id);

-- name: CardUseOfAll :one
SELECT CAST(COALESCE(SUM(CASE WHEN l.waits = '' THEN l.value ELSE COALESCE(l.value * l.given / NULLIF(l.quantity, 0), 0) END), 0) AS BIGINT)
FROM shop_line l
WHERE l.order_id IN (SELECT o.id FROM shop_order o WHERE o.paid_at > $1) AND l.give_at > 0;

-- name: ArrearsOf :one
SELECT CAST((SELECT COUNT(*) FROM shop_debt d WHERE d.player_id = sqlc.arg(player_id) AND d.state IN ('sending', 'open')) AS BIGINT) AS debts,
  CAST(COALESCE((SELECT MIN(o.number) FROM shop_order o
    WHERE o.player_id = sqlc.arg(player_id) AND o.status = 'on-hold' AND o.disputed_at > 0), '') AS TEXT) AS disputed;

-- name: ForgiveDisputes :execrows
UPDATE shop_order SET disputed_at = 0, updated_at = $1 WHERE player_id = $2 AND disputed_at > 0;

-- name: ReleaseShopLines :execrows
UPDATE shop_line SET waits = '' WHERE order_id = $1 AND waits <> '';

-- name: ReleaseShopOrder :execrows
UPDATE shop_order SET problem = '', updated_at = $1 WHERE id = $2 AND problem <> '';

-- name: StatusOfOpening :one
-- The status of the order that a purchase's opening came from.
SELECT s.status FROM opening o JOIN shop_order s ON s.id = o.shop_order WHERE o.id = $1 AND o.shop <> '';

-- name: ShopProblems :many
SELECT * FROM shop_order o WHERE o.problem <> '' OR o.id IN (SELECT l.order_id FROM shop_line l WHERE l.waits <> '') ORDER BY o.paid_at LIMIT $1;

-- name: AssignShopOrder :execrows
UPDATE shop_order SET player_id = $1, problem = '', updated_at = $2 WHERE id = $3 AND player_id IS NULL;

-- name: OwnReward :execrows
UPDATE reward SET player_id = $1, updated_at = $2 WHERE source = $3 AND player_id IS NULL;

-- name: CancelGrant :execrows
UPDATE reward_grant SET state = 'cancelled', error = $1, updated_at = $2
WHERE source = $3 AND number = $4 AND state IN ('pending', 'failed');

-- name: CancelReward :execrows
UPDATE reward SET state = 'cancelled', error = $1, updated_at = $2 WHERE reward.source = $3 AND reward.state IN ('pending', 'failed')
  AND NOT EXISTS (SELECT 1 FROM reward_grant g WHERE g.source = reward.source);

-- name: WithholdGrants :exec
UPDATE reward_grant SET due_at = 9223372036854775807, error = $1 WHERE source = $2 AND state = 'pending';

-- name: HoldGrants :exec
UPDATE reward_grant SET held = $1 WHERE source = $2 AND state IN ('pending', 'failed');

-- name: WithholdGrantsOf :exec
UPDATE reward_grant SET due_at = 9223372036854775807, error = $1 WHERE state = 'pending' AND due_at < 9223372036854775807
  AND source IN (SELECT source FROM reward WHERE player_id = $2 AND origin = 'webstore');

-- name: ReleaseWithheldGrants :exec
UPDATE reward_grant SET due_at = not_before, error = '' WHERE state = 'pending' AND due_at = 9223372036854775807
  AND source IN (SELECT source FROM reward WHERE player_id = $1 AND origin = 'webstore');

-- name: InsertShopDebt :exec
INSERT INTO shop_debt (source, number, player_id, kind, detail, amount, state, price, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, sqlc.arg(at), sqlc.arg(at)) ON CONFLICT (source, number) DO NOTHING;

-- name: OpenShopDebts :many
SELECT * FROM shop_debt WHERE state IN ('sending', 'open')
  AND (player_id, source, number) > (CAST(sqlc.arg(after_player) AS TEXT), CAST(sqlc.arg(after_source) AS TEXT), CAST(sqlc.arg(after_number) AS BIGINT))
ORDER BY player_id, source, number LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: OpenShopDebtsOf :many
SELECT * FROM shop_debt WHERE player_id = $1 AND state IN ('sending', 'open') ORDER BY created_at, source, number;

-- name: CountShopDebts :one
SELECT CAST(COUNT(*) AS BIGINT) FROM shop_debt WHERE player_id = $1 AND state IN ('sending', 'open');

-- name: MoveShopDebt :execrows
-- An operation that was signed for the debt as it was does not pay it any more.
UPDATE shop_debt SET state = sqlc.arg(to_state), amount = $1, taking = $2, updated_at = $3, attempts = sqlc.arg(attempts), paying = 0
WHERE source = $4 AND number = $5 AND state = sqlc.arg(from_state) AND amount = sqlc.arg(from_amount) AND taking = sqlc.arg(from_taking)
  AND in_flight = 0;

-- name: BindShopDebt :execrows
-- A bound debt is bound to another operation only if at most one of the two can be included, as in BindWithdrawalPart, or if its
-- own has failed on chain.
UPDATE shop_debt SET operation = $1, nonce = $2, chain_id = $3, paying = $4, settled_block = 0
WHERE shop_debt.source = $5 AND shop_debt.number = $6 AND shop_debt.player_id = $7 AND shop_debt.state = 'open' AND amount = $8
  AND taking = 0 AND in_flight = 0 AND (shop_debt.operation = '' OR shop_debt.nonce = $2 OR settled_block > 0 OR EXISTS (
    SELECT 1 FROM gas_operation g WHERE g.chain_id = shop_debt.chain_id AND g.sender = sqlc.arg(sender)
      AND g.nonce = shop_debt.nonce AND g.hash <> shop_debt.operation AND g.state <> 'dropped' AND g.state IN ('included', 'failed')));

-- name: ShopDebtsPaidBy :many
SELECT * FROM shop_debt WHERE operation = $1 AND operation <> '' ORDER BY source, number;

-- name: SetShopDebtsInFlight :execrows
UPDATE shop_debt SET in_flight = 1 WHERE operation = $1 AND operation <> ''
  AND state = 'open' AND taking = 0 AND paying > 0 AND in_flight = 0 AND settled_block = 0;

-- name: ReleaseShopDebts :many
-- The debts stay bound: the dropped operation may still be included, by somebody else or after a reorganisation.
UPDATE shop_debt SET in_flight = 0 WHERE operation = $1 AND operation <> '' AND in_flight = 1 RETURNING player_id;

-- name: SettleShopDebts :exec
-- What was forgiven meanwhile stays forgiven.
UPDATE shop_debt SET state = sqlc.arg(to_state), in_flight = 0, settled_block = $1, updated_at = $2
WHERE operation = $3 AND operation <> '' AND state = 'open';

-- name: UnsettleShopDebts :many
-- What was settled otherwise after its operation failed stays settled: its payment is 0.
UPDATE shop_debt SET in_flight = 1, settled_block = 0, updated_at = $1,
  state = CASE WHEN state = 'settled' AND paying > 0 THEN 'open' ELSE state END
WHERE chain_id = $2 AND settled_block > $3 AND settled_block > 0 RETURNING player_id;

-- name: ForgiveShopDebts :execrows
UPDATE shop_debt SET state = 'forgiven', updated_at = $1 WHERE player_id = $2 AND state = 'open';

-- name: VariationOfOpening :one
SELECT l.variation_id FROM opening o JOIN shop_line l ON l.order_id = o.shop_order AND l.id = o.shop_line WHERE o.id = $1 AND o.shop <> '';

-- name: ShopOffers :many
SELECT * FROM shop_offer;

-- name: DropShopOffers :exec
DELETE FROM shop_offer;

-- name: InsertShopOffer :exec
INSERT INTO shop_offer (variation_id, price, in_stock, fetched_at) VALUES ($1, $2, $3, $4);
