-- name: InsertTokenMetadata :execrows
INSERT INTO token_metadata (contract, token_id, chain_id, standard, stage, host, due_at)
VALUES ($1, $2, $3, $4, 'uri', $5, $6) ON CONFLICT (contract, token_id) DO NOTHING;

-- name: TokenMetadata :one
SELECT * FROM token_metadata WHERE contract = $1 AND token_id = $2;

-- name: ContractMetadata :many
-- What contracts say of themselves.
SELECT * FROM token_metadata WHERE token_id = '' AND document <> '';

-- name: DueMetadataHosts :many
-- The hosts that something is to be read from, but those that are left alone. Each step finds the next host in the index.
WITH RECURSIVE hosts AS (
    SELECT (SELECT MIN(m.host) FROM token_metadata m) AS host
    UNION ALL
    SELECT (SELECT MIN(m.host) FROM token_metadata m WHERE m.host > hosts.host) FROM hosts WHERE hosts.host IS NOT NULL
)
SELECT CAST(h.host AS TEXT) AS host FROM hosts h WHERE h.host IS NOT NULL
    AND EXISTS (SELECT 1 FROM token_metadata m WHERE m.host = h.host AND m.due_at <= sqlc.arg(now))
    AND NOT EXISTS (SELECT 1 FROM metadata_host r WHERE r.host = h.host AND r.due_at > sqlc.arg(now))
ORDER BY host;

-- name: DueMetadata :many
SELECT * FROM token_metadata WHERE host = $1 AND due_at <= $2 ORDER BY due_at, contract, token_id LIMIT $3;

-- name: UpdateTokenMetadata :execrows
-- Only if no refresh has begun meanwhile. A refresh that is queued by again_at begins when the URI is read at that time or later; until
-- then it stays queued.
UPDATE token_metadata SET stage = CAST(sqlc.arg(stage) AS TEXT), host = sqlc.arg(host), uri = sqlc.arg(uri), document = sqlc.arg(document),
    etag = sqlc.arg(etag), picture = sqlc.arg(picture), picture_uri = sqlc.arg(picture_uri), read_at = sqlc.arg(read_at),
    due_at = CASE WHEN CAST(sqlc.arg(stage) AS TEXT) = 'uri' AND again_at > 0 AND again_at < CAST(sqlc.arg(due_at) AS BIGINT)
        AND NOT (stage = 'uri' AND again_at <= due_at) THEN again_at ELSE CAST(sqlc.arg(due_at) AS BIGINT) END,
    again_at = CASE WHEN CAST(sqlc.arg(stage) AS TEXT) = 'uri' OR stage = 'uri' AND again_at <= due_at THEN 0 ELSE again_at END,
    failures = sqlc.arg(failures), reason = sqlc.arg(reason)
WHERE contract = sqlc.arg(contract) AND token_id = sqlc.arg(token_id) AND stage = sqlc.arg(was_stage) AND due_at = sqlc.arg(was_due_at);

-- name: RefreshTokenMetadata :execrows
-- Unless that was asked for since a time, or it was read since another.
UPDATE token_metadata SET stage = 'uri', host = 'chain ' || CAST(chain_id AS TEXT), due_at = sqlc.arg(now), asked_at = sqlc.arg(now),
    failures = 0, etag = ''
WHERE contract = sqlc.arg(contract) AND token_id = sqlc.arg(token_id) AND asked_at < sqlc.arg(asked_before)
    AND read_at < sqlc.arg(read_before);

-- name: RefreshTokensMetadata :execrows
-- The same for a range of tokens. Ids are compared as the numbers that they are written of.
UPDATE token_metadata SET stage = 'uri', host = 'chain ' || CAST(chain_id AS TEXT), due_at = sqlc.arg(now), asked_at = sqlc.arg(now),
    failures = 0, etag = ''
WHERE contract = sqlc.arg(contract)
    AND (LENGTH(token_id) > LENGTH(CAST(sqlc.arg(first_id) AS TEXT))
        OR LENGTH(token_id) = LENGTH(CAST(sqlc.arg(first_id) AS TEXT)) AND token_id >= CAST(sqlc.arg(first_id) AS TEXT))
    AND (LENGTH(token_id) < LENGTH(CAST(sqlc.arg(last_id) AS TEXT))
        OR LENGTH(token_id) = LENGTH(CAST(sqlc.arg(last_id) AS TEXT)) AND token_id <= CAST(sqlc.arg(last_id) AS TEXT))
    AND asked_at < sqlc.arg(asked_before) AND read_at < sqlc.arg(read_before);

-- name: PostponeTokensMetadata :exec
-- Queues the tokens of a range for which a refresh was requested lately for one more, some time after that.
UPDATE token_metadata SET again_at = asked_at + CAST(sqlc.arg(pause) AS BIGINT),
    due_at = CASE WHEN stage = 'uri' AND due_at > asked_at + CAST(sqlc.arg(pause) AS BIGINT)
        THEN asked_at + CAST(sqlc.arg(pause) AS BIGINT) ELSE due_at END
WHERE contract = sqlc.arg(contract)
    AND (LENGTH(token_id) > LENGTH(CAST(sqlc.arg(first_id) AS TEXT))
        OR LENGTH(token_id) = LENGTH(CAST(sqlc.arg(first_id) AS TEXT)) AND token_id >= CAST(sqlc.arg(first_id) AS TEXT))
    AND (LENGTH(token_id) < LENGTH(CAST(sqlc.arg(last_id) AS TEXT))
        OR LENGTH(token_id) = LENGTH(CAST(sqlc.arg(last_id) AS TEXT)) AND token_id <= CAST(sqlc.arg(last_id) AS TEXT))
    AND asked_at >= sqlc.arg(asked_since) AND asked_at < sqlc.arg(now) AND again_at = 0 AND read_at < sqlc.arg(read_before);

-- name: PostponeTokenMetadata :exec
-- The same for one token.
UPDATE token_metadata SET again_at = asked_at + CAST(sqlc.arg(pause) AS BIGINT),
    due_at = CASE WHEN stage = 'uri' AND due_at > asked_at + CAST(sqlc.arg(pause) AS BIGINT)
        THEN asked_at + CAST(sqlc.arg(pause) AS BIGINT) ELSE due_at END
WHERE contract = sqlc.arg(contract) AND token_id = sqlc.arg(token_id)
    AND asked_at >= sqlc.arg(asked_since) AND asked_at < sqlc.arg(now) AND again_at = 0 AND read_at < sqlc.arg(read_before);

-- name: PutMetadataHost :exec
INSERT INTO metadata_host (host, failures, due_at) VALUES ($1, $2, $3)
ON CONFLICT (host) DO UPDATE SET failures = excluded.failures, due_at = excluded.due_at;

-- name: MetadataHost :one
SELECT * FROM metadata_host WHERE host = $1;

-- name: DeleteMetadataHost :exec
DELETE FROM metadata_host WHERE host = $1;

-- name: CountMetadata :one
SELECT (SELECT COUNT(*) FROM token_metadata m WHERE m.document = '' AND m.token_id <> '') AS unknown,
    (SELECT COUNT(*) FROM token_metadata m WHERE m.failures > 0 AND m.token_id <> '') AS failing;

-- name: UpdateToken :exec
UPDATE token SET collection = sqlc.arg(collection), name = sqlc.arg(name), kind = sqlc.arg(kind), rarity = sqlc.arg(rarity),
    rarity_rank = sqlc.arg(rarity_rank), attributes = sqlc.arg(attributes), words = sqlc.arg(words)
WHERE contract = sqlc.arg(contract) AND token_id = sqlc.arg(token_id);

-- name: ActiveListingsOfToken :many
SELECT * FROM listing WHERE contract = $1 AND token_id = $2 AND status = 'active' ORDER BY id;

-- name: FailingMetadata :many
SELECT sqlc.embed(m), t.name FROM token_metadata m JOIN token t ON t.contract = m.contract AND t.token_id = m.token_id
WHERE m.failures > 0 ORDER BY m.failures DESC, m.due_at, m.contract, m.token_id LIMIT $1;

-- name: NamedMetadata :one
SELECT sqlc.embed(m), t.name FROM token_metadata m JOIN token t ON t.contract = m.contract AND t.token_id = m.token_id
WHERE m.contract = $1 AND m.token_id = $2;

-- name: TokenRules :one
SELECT rules FROM token_rules WHERE contract = $1;

-- name: PutTokenRules :exec
INSERT INTO token_rules (contract, rules) VALUES ($1, $2) ON CONFLICT (contract) DO UPDATE SET rules = excluded.rules;

-- name: TokensAfter :many
SELECT token_id FROM token WHERE contract = $1 AND token_id > $2 ORDER BY token_id LIMIT $3;

-- name: MetadataState :one
-- What changes when the metadata of a contract's tokens does.
SELECT COUNT(*) AS tokens, CAST(COALESCE(MAX(read_at), 0) AS BIGINT) AS read_at FROM token_metadata
WHERE contract = $1 AND document <> '' AND token_id <> '';

-- name: DocumentsOf :many
SELECT token_id, document, rarity FROM token_metadata WHERE contract = $1 AND document <> '' AND token_id <> '' ORDER BY token_id;

-- name: SetTokenRarity :exec
UPDATE token_metadata SET rarity = $1 WHERE contract = $2 AND token_id = $3;

-- name: PutUnusedPicture :exec
INSERT INTO unused_picture (picture, unused_at) VALUES ($1, $2) ON CONFLICT (picture) DO UPDATE SET unused_at = excluded.unused_at;

-- name: UnusedPictures :many
SELECT u.picture, CAST(CASE WHEN EXISTS (SELECT 1 FROM token_metadata m WHERE m.picture = u.picture AND m.picture <> '') THEN 1 ELSE 0 END AS BIGINT) AS used
FROM unused_picture u WHERE u.unused_at <= sqlc.arg(since) ORDER BY u.picture LIMIT CAST(sqlc.arg(batch) AS BIGINT);

-- name: DeleteUnusedPicture :exec
DELETE FROM unused_picture WHERE picture = $1;
