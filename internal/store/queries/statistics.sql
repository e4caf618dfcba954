-- name: PutScore :exec
INSERT INTO statistic (player_id, board, score, reached_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (player_id, board) DO UPDATE SET score = excluded.score, reached_at = excluded.reached_at
WHERE excluded.score > statistic.score;

-- name: InsertScore :exec
INSERT INTO statistic (player_id, board, score, reached_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: InsertPlayerOnce :exec
INSERT INTO player (id, display_name, email, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: Score :one
SELECT score, reached_at FROM statistic WHERE board = $1 AND player_id = $2;

-- name: ScoresFrom :many
SELECT s.player_id, s.score, p.display_name FROM statistic s JOIN player p ON p.id = s.player_id
WHERE s.board = sqlc.arg(board)
ORDER BY s.score DESC, s.reached_at, s.player_id
LIMIT CAST(sqlc.arg(page_size) AS BIGINT) OFFSET CAST(sqlc.arg(skipped) AS BIGINT);

-- name: ScoresAbove :one
-- How many rank above a place of the board. Two counts, because an index can serve each of them but not both at once.
SELECT CAST(
    (SELECT COUNT(*) FROM statistic a WHERE a.board = sqlc.arg(board) AND a.score > sqlc.arg(score)) +
    (SELECT COUNT(*) FROM statistic b WHERE b.board = sqlc.arg(board) AND b.score = sqlc.arg(score)
        AND (b.reached_at, b.player_id) < (CAST(sqlc.arg(reached_at) AS BIGINT), CAST(sqlc.arg(player_id) AS TEXT)))
    AS BIGINT) AS n;
