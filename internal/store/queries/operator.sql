-- name: ChainsOfCursors :many
SELECT chain_id FROM chain_cursor ORDER BY chain_id;

-- name: FindRewards :many
-- Newest first; optionally only those of a player, in a state, or without a player.
SELECT * FROM reward
WHERE (CAST(sqlc.arg(of_player) AS TEXT) = '' OR player_id = sqlc.arg(of_player))
  AND (CAST(sqlc.arg(in_state) AS TEXT) = '' OR state = sqlc.arg(in_state) OR (sqlc.arg(in_state) = 'open' AND state NOT IN ('done', 'failed', 'cancelled')))
  AND (CAST(sqlc.arg(unowned) AS BIGINT) = 0 OR player_id IS NULL AND wallet <> '')
ORDER BY earned_at DESC, source DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: RewardCountsOf :many
-- How many rewards of a player are in each state.
SELECT state, CAST(COUNT(*) AS BIGINT) AS rewards FROM reward WHERE player_id = $1 GROUP BY state;

-- name: RedoGrants :execrows
UPDATE reward_grant SET state = 'pending', redone = redone + 1, attempts = 0, due_at = not_before, error = '', updated_at = $1
WHERE source = $2 AND state = 'failed';

-- name: AssignReward :execrows
UPDATE reward SET player_id = $1, updated_at = $2 WHERE source = $3 AND player_id IS NULL;

-- name: OrdersOf :many
SELECT * FROM purchase_order WHERE player_id = $1 ORDER BY created_at DESC LIMIT $2;
