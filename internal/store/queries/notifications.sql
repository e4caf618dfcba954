-- name: InsertNotification :execrows
INSERT INTO notification (player_id, key, kind, listing_id, contract, token_id, quantity, amount, tx_hash, created_at, search_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (player_id, key) DO NOTHING;

-- name: Notifications :many
SELECT sqlc.embed(n), CAST(COALESCE(t.name, '') AS TEXT) AS name, CAST(COALESCE(s.name, '') AS TEXT) AS search_name
FROM notification n LEFT JOIN token t ON t.contract = n.contract AND t.token_id = n.token_id LEFT JOIN saved_search s ON s.id = n.search_id
WHERE n.player_id = $1 AND (n.created_at, n.key) < (CAST(sqlc.arg(before) AS BIGINT), CAST(sqlc.arg(before_key) AS TEXT))
ORDER BY n.created_at DESC, n.key DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);

-- name: UnreadNotifications :one
SELECT COUNT(*) FROM notification WHERE player_id = $1 AND is_read = 0;

-- name: ReadNotifications :execrows
UPDATE notification SET is_read = 1
WHERE player_id = $1 AND is_read = 0 AND (created_at, key) <= (CAST(sqlc.arg(at) AS BIGINT), CAST(sqlc.arg(at_key) AS TEXT));

-- name: NotificationSetting :one
SELECT email FROM notification_setting WHERE player_id = $1;

-- name: PutNotificationSetting :exec
INSERT INTO notification_setting (player_id, email) VALUES ($1, $2)
ON CONFLICT (player_id) DO UPDATE SET email = excluded.email;

-- name: SettleNotificationEmails :exec
UPDATE notification SET emailed = 1 WHERE player_id = $1 AND emailed = 0;

-- name: ExpiredListings :many
-- Players' listings whose time is over, once all blocks within it are read. A lapsed listing was not for sale any more.
SELECT l.id, l.listing_id, l.contract, l.token_id, l.quantity, l.price, l.end_at, w.player_id
FROM listing l JOIN wallet w ON w.smart_address = l.seller JOIN chain_cursor c ON c.chain_id = l.chain_id AND c.block_time >= l.end_at
WHERE l.status = 'active' AND l.lapsed BETWEEN 0 AND l.listed - 1 AND l.end_at > sqlc.arg(since) AND l.end_at <= sqlc.arg(now)
  AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.player_id = w.player_id AND n.key = 'expired ' || l.id || ' ' || l.end_at)
ORDER BY l.end_at LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: UnsentNotifications :many
SELECT s.player_id FROM notification_setting s
WHERE s.email = 1 AND s.emailed_at <= sqlc.arg(last)
  AND EXISTS (SELECT 1 FROM notification n WHERE n.player_id = s.player_id AND n.is_read = 0 AND n.emailed = 0 AND n.created_at > sqlc.arg(since))
ORDER BY s.emailed_at, s.player_id LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: UnsentNotificationsOf :many
SELECT sqlc.embed(n), CAST(COALESCE(t.name, '') AS TEXT) AS name, CAST(COALESCE(s.name, '') AS TEXT) AS search_name
FROM notification n LEFT JOIN token t ON t.contract = n.contract AND t.token_id = n.token_id LEFT JOIN saved_search s ON s.id = n.search_id
WHERE n.player_id = $1 AND n.is_read = 0 AND n.emailed = 0 AND n.created_at > sqlc.arg(since)
ORDER BY n.created_at, n.key;

-- name: MarkNotificationsEmailed :execrows
UPDATE notification_setting SET emailed_at = sqlc.arg(now)
WHERE player_id = $1 AND email = 1 AND emailed_at <= sqlc.arg(last);

-- name: ForgetNotifications :exec
DELETE FROM notification WHERE created_at < sqlc.arg(before);

-- name: PayoutOf :one
-- The last transfer of the currency to the seller before a sale's event is the payout: the marketplace makes it last.
SELECT amount FROM token_transfer
WHERE chain_id = $1 AND block_number = $2 AND log_index < $3 AND tx_hash = $4 AND contract = sqlc.arg(currency) AND to_address = sqlc.arg(seller)
ORDER BY log_index DESC LIMIT 1;
