-- name: InsertReward :execrows
INSERT INTO reward (source, player_id, kind, detail, state, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, sqlc.arg(at), sqlc.arg(at)) ON CONFLICT (source) DO NOTHING;

-- The index needs the states as literals.
-- name: DueRewards :many
SELECT * FROM reward
WHERE state = sqlc.arg(in_state) AND state IN ('pending', 'drawn', 'sending') AND due_at <= sqlc.arg(due_by) AND kind <> sqlc.arg(but_kind)
ORDER BY due_at, created_at, source LIMIT $1;

-- name: MoveReward :execrows
UPDATE reward SET state = sqlc.arg(to_state), error = $1, updated_at = $2, attempts = 0, due_at = 0
WHERE source = $3 AND state = sqlc.arg(from_state);

-- name: DrawReward :execrows
UPDATE reward SET state = 'drawn', kind = $1, detail = $2, updated_at = $3, error = '', attempts = 0, due_at = 0
WHERE source = $4 AND state = 'pending';

-- name: PostponeReward :execrows
UPDATE reward SET attempts = $1, due_at = $2, error = $3, updated_at = $4 WHERE source = $5 AND state = $6;
