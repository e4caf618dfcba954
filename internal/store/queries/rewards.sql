-- name: InsertReward :execrows
INSERT INTO reward (source, player_id, wallet, origin, chain_id, tx_hash, detail, state, earned_at, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, sqlc.arg(at), sqlc.arg(at)) ON CONFLICT (source) DO NOTHING;

-- name: InsertRewardGrant :exec
INSERT INTO reward_grant (source, number, kind, detail, state, due_at, not_before, contract, token_id, amount, created_at, updated_at)
VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, sqlc.arg(at), sqlc.arg(at));

-- name: ReleaseGrants :exec
UPDATE reward_grant SET due_at = not_before WHERE source = $1 AND state = 'pending';

-- name: LockTreasury :exec
UPDATE treasury_lock SET held = held;

-- name: TreasuryUses :many
-- What transfers take from the treasury; see reward.TreasuryUse. The index needs the states as literals.
SELECT g.contract, g.token_id, g.state, CAST(CASE WHEN r.player_id = sqlc.arg(player_id) THEN 1 ELSE 0 END AS BIGINT) AS own,
  CAST(CASE WHEN g.created_at > sqlc.arg(since) THEN 1 ELSE 0 END AS BIGINT) AS recent, CAST(SUM(g.amount) AS BIGINT) AS amount
FROM reward_grant g JOIN reward r ON r.source = g.source
WHERE g.contract <> '' AND (g.state IN ('pending', 'sending') OR g.state = 'done' AND g.updated_at > sqlc.arg(since))
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;

-- name: Reward :one
SELECT * FROM reward WHERE source = $1;

-- name: RewardGrants :many
SELECT * FROM reward_grant WHERE source = $1 ORDER BY number;

-- The index needs the states as literals.
-- name: DueGrants :many
SELECT sqlc.embed(g), CAST(COALESCE(r.player_id, '') AS TEXT) AS player_id, CAST(COALESCE(w.smart_address, '') AS TEXT) AS smart_address,
  r.chain_id, r.wallet, r.tx_hash
FROM reward_grant g JOIN reward r ON r.source = g.source LEFT JOIN wallet w ON w.player_id = r.player_id AND w.stored_at > 0
WHERE g.state = sqlc.arg(in_state) AND g.state IN ('pending', 'sending') AND g.due_at <= sqlc.arg(due_by) AND g.kind <> sqlc.arg(but_kind)
  AND (r.player_id IS NOT NULL OR r.origin = 'move') AND (g.state <> 'pending' OR g.held = 0)
ORDER BY g.due_at, g.created_at, g.source, g.number LIMIT $1 OFFSET sqlc.arg(skip);

-- name: MoveGrant :execrows
-- A grant that was withheld after it was read stays, as does one of the webstore's whose player owes for another.
UPDATE reward_grant SET state = sqlc.arg(to_state), error = $1, updated_at = $2, attempts = 0, due_at = 0
WHERE reward_grant.source = $3 AND reward_grant.number = $4 AND reward_grant.state = sqlc.arg(from_state)
  AND reward_grant.due_at < 9223372036854775807
  AND (reward_grant.state <> 'pending' OR reward_grant.held = 0 AND NOT EXISTS (
    SELECT 1 FROM reward r JOIN shop_debt d ON d.player_id = r.player_id
    WHERE r.source = reward_grant.source AND r.origin = 'webstore' AND d.state IN ('sending', 'open')));

-- name: PostponeGrant :execrows
UPDATE reward_grant SET attempts = $1, due_at = $2, error = $3, updated_at = $4
WHERE source = $5 AND number = $6 AND state = $7 AND due_at < 9223372036854775807;

-- name: MoveReward :execrows
UPDATE reward SET state = sqlc.arg(to_state), error = $1, updated_at = $2 WHERE source = $3 AND state <> sqlc.arg(to_state);

-- name: DrawReward :execrows
UPDATE reward SET state = 'drawn', detail = $1, updated_at = $2 WHERE source = $3 AND state = 'pending';

-- name: OwnRewards :many
UPDATE reward SET player_id = $1, updated_at = $2 WHERE wallet = $3 AND player_id IS NULL RETURNING source;

-- name: DropBurnGrants :exec
DELETE FROM reward_grant WHERE source IN (SELECT source FROM reward WHERE player_id = $1 AND tx_hash <> '' AND origin <> 'pack');

-- name: ForgetBurnRewards :exec
-- A burn's row is kept when its player is deleted, without personal data: a rebuilt index would reward the burn again.
-- Packs are excluded, because their openings serve the same purpose.
UPDATE reward SET player_id = NULL, wallet = '', detail = '{}', state = 'done', error = ''
WHERE player_id = $1 AND tx_hash <> '' AND origin <> 'pack';

-- name: EndTransfers :exec
-- Transfers in progress count as sent: nobody tracks them once the player is deleted.
UPDATE reward_grant SET state = 'done', updated_at = $1 WHERE state = 'sending' AND contract <> ''
  AND source IN (SELECT source FROM reward WHERE player_id = $2);

-- name: DropOtherGrants :exec
DELETE FROM reward_grant WHERE NOT (state = 'done' AND contract <> '') AND source IN (SELECT source FROM reward WHERE player_id = $1 AND origin = 'webstore');

-- name: ForgetTransfers :exec
-- What the treasury has sent is kept without its player: it counts towards the daily limits.
UPDATE reward SET player_id = NULL, wallet = '', detail = '{}', state = 'done', error = '' WHERE player_id = $1 AND origin = 'webstore'
  AND EXISTS (SELECT 1 FROM reward_grant g WHERE g.source = reward.source);

-- name: DoneRewardsOfTx :many
SELECT detail FROM reward WHERE tx_hash = $1 AND origin = $2 AND player_id = $3 AND state = 'done' AND source <> $4 ORDER BY source;

-- name: RewardsOf :many
-- With openings = 1 those of packs alone, burned and bought ones.
SELECT * FROM reward WHERE player_id = $1 AND (CAST(sqlc.arg(of_origin) AS TEXT) = '' OR origin = sqlc.arg(of_origin))
  AND (CAST(sqlc.arg(openings) AS BIGINT) = 0 OR origin = 'pack'
    OR origin = 'webstore' AND EXISTS (SELECT 1 FROM opening o WHERE o.id = reward.source))
  AND (CAST(sqlc.arg(of_tx) AS TEXT) = '' OR tx_hash = sqlc.arg(of_tx))
  AND (earned_at, source) < (CAST(sqlc.arg(before_time) AS BIGINT), CAST(sqlc.arg(before_source) AS TEXT))
ORDER BY earned_at DESC, source DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: RewardPace :one
-- How long the chain's last rewards took from block to record, and from record to done, in milliseconds.
SELECT CAST(COALESCE(AVG(created_at - earned_at), 0) AS BIGINT) AS settle, CAST(COALESCE(AVG(updated_at - created_at), 0) AS BIGINT) AS give
FROM (SELECT created_at, earned_at, updated_at FROM reward WHERE chain_id = $1 AND chain_id <> 0 AND state = 'done'
      ORDER BY created_at DESC LIMIT CAST(sqlc.arg(last) AS BIGINT)) r;

-- name: RewardBacklog :one
-- For operators: the number of failed rewards, and since when the oldest grant with a player and the oldest opening have waited;
-- 0 for none.
SELECT CAST((SELECT COUNT(*) FROM reward WHERE state = 'failed') AS BIGINT) AS failed,
  CAST((SELECT COALESCE(MIN(CASE WHEN not_before > created_at THEN not_before ELSE created_at END), 0) FROM reward_grant
    WHERE (state = 'pending' AND held = 0 OR state = 'sending') AND due_at < 9223372036854775807) AS BIGINT) AS oldest_grant,
  CAST((SELECT COALESCE(MIN(block_time), 0) FROM opening WHERE drawn_at = 0 AND error = '') AS BIGINT) AS oldest_opening;

-- name: TokenGrantsAfter :many
SELECT source, number, redone FROM reward_grant
WHERE (source, number) > (sqlc.arg(source), CAST(sqlc.arg(number) AS BIGINT)) AND state = 'done' AND kind <> 'currency'
ORDER BY source, number LIMIT CAST(sqlc.arg(batch) AS BIGINT);
