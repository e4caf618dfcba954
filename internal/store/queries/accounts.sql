-- name: PasswordHash :one
SELECT password_hash FROM local_account WHERE player_id = $1;

-- name: SetPasswordHash :execrows
UPDATE local_account SET password_hash = $1 WHERE player_id = $2;

-- name: NameTaken :one
SELECT COUNT(*) FROM player_name WHERE name_key = $1 AND player_id <> $2;

-- name: DropOtherNames :exec
DELETE FROM player_name WHERE player_id = $1 AND name_key <> $2;

-- name: TakeName :exec
INSERT INTO player_name (player_id, name_key) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: SetDisplayName :execrows
UPDATE player SET display_name = $1 WHERE id = $2;

-- name: HasLocalAccount :one
SELECT COUNT(*) FROM local_account WHERE player_id = $1;

-- name: RecoveryAccount :one
-- waits: whether a new address may not reset the password yet. One that a notice has restored was not new when that was sent.
SELECT a.player_id, p.email, p.email_changed_at,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM linked_account l WHERE l.player_id = p.id) AND NOT EXISTS (
           SELECT 1 FROM notice n WHERE n.player_id = p.id AND n.email_key = a.email_key AND n.confirmed = 1
               AND n.sent_at >= n.address_at + CAST(sqlc.arg(email_wait) AS BIGINT) AND n.sent_at < p.email_changed_at
       ) THEN 1 ELSE 0 END AS BIGINT) AS waits
FROM local_account a JOIN player p ON p.id = a.player_id WHERE a.email_key = $1;

-- name: InsertRecoveryLink :exec
INSERT INTO recovery_link (token_hash, player_id, expires_at) VALUES ($1, $2, $3);

-- name: RecoveryLinkPlayer :one
SELECT player_id FROM recovery_link WHERE token_hash = $1 AND expires_at > sqlc.arg(now) AND player_id IS NOT NULL;

-- name: UseRecoveryLink :one
DELETE FROM recovery_link WHERE token_hash = $1 AND expires_at > sqlc.arg(now) AND player_id IS NOT NULL RETURNING player_id;

-- name: DeleteRecoveryLinks :exec
DELETE FROM recovery_link WHERE player_id = $1;

-- name: NoteSessionsEnded :execrows
UPDATE player SET sessions_ended_at = $1 WHERE id = $2 AND sessions_ended_at <= $1;

-- name: RevokeSessions :many
UPDATE session SET revoked_at = $1 WHERE player_id = $2 AND id <> $3 AND revoked_at = 0 RETURNING id;

-- name: CountExpiredSessions :one
SELECT COUNT(*) FROM session WHERE revoked_at = 0 AND expires_at <= sqlc.arg(now);

-- name: EndExpiredSessions :many
UPDATE session SET revoked_at = expires_at WHERE revoked_at = 0 AND id IN (
    SELECT s.id FROM session s WHERE s.revoked_at = 0 AND s.expires_at <= sqlc.arg(now) ORDER BY s.expires_at LIMIT CAST(sqlc.arg(batch) AS BIGINT))
RETURNING id, expires_at;

-- name: SessionsEndedSince :many
SELECT id FROM session WHERE player_id = $1 AND revoked_at >= CAST(sqlc.arg(since) AS BIGINT) AND revoked_at > 0 AND expires_at > CAST(sqlc.arg(now) AS BIGINT) ORDER BY id;

-- name: RevokeOldSessions :many
UPDATE session SET revoked_at = sqlc.arg(now) WHERE session.player_id = $1 AND session.revoked_at = 0 AND session.id IN (
    SELECT s.id FROM session s WHERE s.player_id = $1 AND s.revoked_at = 0 AND s.expires_at > sqlc.arg(now)
    ORDER BY s.created_at DESC, s.id LIMIT 1000 OFFSET CAST(sqlc.arg(kept) AS BIGINT))
RETURNING id;

-- name: OpenSessions :many
SELECT * FROM session WHERE player_id = $1 AND revoked_at = 0 AND expires_at > sqlc.arg(now) ORDER BY created_at DESC, id;

-- name: OpenSessionIDs :many
SELECT id FROM session WHERE player_id = $1 AND revoked_at = 0 AND expires_at > sqlc.arg(now);

-- name: TouchSession :exec
UPDATE session SET used_at = $1 WHERE id = $2 AND used_at < $1;

-- name: RevokeSessionOf :execrows
UPDATE session SET revoked_at = $1 WHERE id = $2 AND player_id = $3 AND revoked_at = 0 AND expires_at > $1;

-- name: CountStale :one
SELECT CAST((SELECT COUNT(*) FROM session s WHERE s.expires_at < sqlc.arg(sessions_before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM recovery_link r WHERE r.expires_at < sqlc.arg(before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM act_approval a WHERE a.expires_at < sqlc.arg(before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM email_code e WHERE e.expires_at < sqlc.arg(before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM notice n WHERE n.expires_at < sqlc.arg(before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM attempt t WHERE t.expires_at < sqlc.arg(before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM known_browser b WHERE b.seen_at < sqlc.arg(browsers_before)) AS BIGINT)
     + CAST((SELECT COUNT(*) FROM deleted_player d WHERE d.state = 'done' AND d.deleted_at < sqlc.arg(deleted_before)) AS BIGINT) AS stale;

-- name: DeleteStaleLinks :exec
DELETE FROM recovery_link WHERE expires_at < $1;

-- name: DropHolds :many
DELETE FROM cart_hold WHERE player_id = $1 RETURNING listing_id;

-- name: DeletePlayer :execrows
DELETE FROM player WHERE id = $1;

-- name: InsertDeletedPlayer :exec
INSERT INTO deleted_player (player_id, state, deleted_at, due_at) VALUES ($1, 'pending', sqlc.arg(at), sqlc.arg(at));

-- name: CountDeletedPlayer :one
SELECT COUNT(*) FROM deleted_player WHERE player_id = $1;

-- name: DeletionsDue :many
SELECT player_id, attempts FROM deleted_player WHERE state = 'pending' AND due_at <= sqlc.arg(now) ORDER BY due_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DelayDeletion :exec
UPDATE deleted_player SET attempts = attempts + 1, due_at = $1 WHERE player_id = $2 AND state = 'pending';

-- name: FinishDeletion :exec
UPDATE deleted_player SET state = 'done' WHERE player_id = $1;

-- name: ForgetDeletions :exec
-- Where wallets are copied to a second place, deletions are recorded there first.
DELETE FROM deleted_player WHERE state = 'done' AND deleted_at < $1
  AND (recorded_at > 0 OR NOT EXISTS (SELECT 1 FROM wallet w WHERE w.copy_due_at = 0));

-- name: AttemptsSince :many
SELECT begins_at, made FROM attempt WHERE key = $1 AND begins_at >= $2;

-- Counts an attempt unless there were as many already.
-- name: CountAttempt :execrows
INSERT INTO attempt (key, begins_at, made, expires_at) VALUES ($1, $2, 1, $3)
ON CONFLICT (key, begins_at) DO UPDATE SET made = attempt.made + 1 WHERE attempt.made < sqlc.arg(most);

-- name: TakeBackAttempt :exec
UPDATE attempt SET made = made - 1 WHERE key = $1 AND begins_at = $2 AND made > 0;

-- name: DeleteStaleAttempts :exec
DELETE FROM attempt WHERE expires_at < $1;
