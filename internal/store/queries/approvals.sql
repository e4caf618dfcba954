-- name: ApprovalMails :one
-- How many codes were emailed for a session's approvals that were requested since a time.
SELECT CAST(COALESCE(SUM(mails), 0) AS BIGINT) FROM act_approval WHERE session_id = $1 AND created_at > sqlc.arg(since);

-- name: ReplaceApprovals :exec
UPDATE act_approval SET expires_at = sqlc.arg(now) WHERE session_id = $1 AND kind = $2 AND confirmed_at = 0 AND expires_at > sqlc.arg(now);

-- name: EndEmailedApprovals :exec
UPDATE act_approval SET expires_at = sqlc.arg(now) WHERE player_id = $1 AND address <> '' AND confirmed_at = 0 AND expires_at > sqlc.arg(now);

-- name: InsertActApproval :exec
INSERT INTO act_approval (id, player_id, session_id, kind, digest, description, way, address, code_hash, attempts_left, mails, wallet, created_at, confirmed_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: SaveApprovalCode :execrows
UPDATE act_approval SET code_hash = $1, attempts_left = $2, expires_at = $3, mails = mails + 1
WHERE id = $4 AND confirmed_at = 0 AND expires_at > sqlc.arg(now) AND created_at > sqlc.arg(since);

-- name: ActApproval :one
SELECT * FROM act_approval WHERE id = $1 AND player_id = $2 AND session_id = $3;

-- name: WaitingApproval :one
-- One that a code confirms.
SELECT id FROM act_approval
WHERE session_id = $1 AND player_id = $2 AND kind = $3 AND digest = $4 AND way = 'code' AND confirmed_at = 0 AND expires_at > sqlc.arg(now)
ORDER BY created_at DESC LIMIT 1;

-- name: TryApproval :execrows
UPDATE act_approval SET attempts_left = attempts_left - 1 WHERE id = $1 AND attempts_left > 0 AND confirmed_at = 0 AND expires_at > sqlc.arg(now);

-- name: ConfirmApproval :execrows
UPDATE act_approval SET confirmed_at = sqlc.arg(now), expires_at = sqlc.arg(until)
WHERE id = $1 AND code_hash = $2 AND confirmed_at = 0 AND expires_at > sqlc.arg(now);

-- name: UseApproval :one
-- One that this use has spent before comes first. An approval ends with its session.
UPDATE act_approval SET used_for = sqlc.arg(used_for)
WHERE (used_for = '' OR used_for = sqlc.arg(used_for)) AND id = (
    SELECT a.id FROM act_approval a JOIN session s ON s.id = a.session_id
    WHERE a.player_id = $1 AND a.kind = $2 AND a.digest = $3 AND a.confirmed_at > 0 AND a.expires_at > sqlc.arg(now)
      AND (a.used_for = '' OR a.used_for = sqlc.arg(used_for)) AND s.revoked_at = 0 AND s.expires_at > sqlc.arg(now)
    ORDER BY a.used_for DESC, a.created_at, a.id LIMIT 1)
RETURNING way;

-- name: EndUsedApproval :execrows
-- An open session's approval that was used for something, and is good for nothing else.
UPDATE act_approval SET expires_at = sqlc.arg(now)
WHERE act_approval.session_id = $1 AND act_approval.player_id = $2 AND kind = $3 AND digest = $4
  AND used_for = sqlc.arg(used_for) AND confirmed_at > 0 AND act_approval.expires_at > sqlc.arg(now)
  AND EXISTS (SELECT 1 FROM session s WHERE s.id = act_approval.session_id AND s.revoked_at = 0 AND s.expires_at > sqlc.arg(now));

-- name: DeleteStaleApprovals :exec
DELETE FROM act_approval WHERE expires_at < $1;
