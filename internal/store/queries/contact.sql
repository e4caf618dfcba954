-- name: InsertPreRegistration :exec
INSERT INTO pre_registration (email_key, email, created_at) VALUES ($1, $2, $3) ON CONFLICT (email_key) DO NOTHING;

-- name: PreRegistrations :many
SELECT * FROM pre_registration ORDER BY created_at, email_key;

-- name: DeletePreRegistration :execrows
DELETE FROM pre_registration WHERE email_key = $1;

-- name: InsertSupportRequest :exec
INSERT INTO support_letter (id, email, topic, message, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: SupportRequests :many
SELECT * FROM support_letter ORDER BY id;

-- name: NewestSupportRequests :many
SELECT * FROM support_letter ORDER BY id DESC LIMIT CAST(sqlc.arg(page_size) AS BIGINT);
