-- name: PlayersWallets :one
-- The registered smart wallet and the verified one; '' for none.
SELECT CAST(COALESCE((SELECT w.smart_address FROM wallet w WHERE w.player_id = $1 AND w.stored_at > 0), '') AS TEXT) AS smart,
       CAST(COALESCE((SELECT v.address FROM verified_wallet v WHERE v.player_id = $1), '') AS TEXT) AS verified;

-- name: HeldByEither :one
SELECT COUNT(*) FROM holding
WHERE chain_id = $1 AND contract = $2 AND token_id = $3 AND owner IN (sqlc.arg(smart), sqlc.arg(verified)) AND amount <> '0';

-- name: DescribedByContract :one
-- Whether it is known what the contract says of a token.
SELECT COUNT(*) FROM token_metadata WHERE contract = $1 AND token_id = $2 AND document <> '';

-- name: InsertVaultClaim :execrows
INSERT INTO vault_claim (season, contract, token_id, source, claimed_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING;

-- name: VaultClaims :many
-- The claims of the gods in two wallets. source and state are '' for those of other players.
SELECT c.token_id, CAST(COALESCE(r.source, '') AS TEXT) AS source, CAST(COALESCE(r.state, '') AS TEXT) AS state
FROM holding h JOIN vault_claim c ON c.contract = h.contract AND c.token_id = h.token_id AND c.season = sqlc.arg(season)
LEFT JOIN reward r ON r.source = c.source AND r.player_id = sqlc.arg(player_id)
WHERE h.chain_id = $1 AND h.contract = $2 AND h.owner IN (sqlc.arg(smart), sqlc.arg(verified)) AND h.amount <> '0';

-- name: SeasonAvatars :one
SELECT COUNT(*) FROM season_avatar WHERE wallet = $1;

-- name: NextSeasonAvatar :one
SELECT CAST(COALESCE(MAX(token_id) + 1, sqlc.arg(first_id)) AS BIGINT) AS next FROM season_avatar
WHERE token_id BETWEEN sqlc.arg(first_id) AND sqlc.arg(last_id);

-- name: InsertSeasonAvatar :execrows
INSERT INTO season_avatar (wallet, token_id, season, claimed_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: SeeItems :exec
-- SQLite needs the condition to tell ON CONFLICT from a join's.
INSERT INTO items_seen (player_id, chain_id, block_number)
SELECT CAST(sqlc.arg(player_id) AS TEXT), c.chain_id, c.block_number FROM chain_cursor c WHERE c.chain_id >= 0
ON CONFLICT (player_id, chain_id) DO UPDATE SET block_number = excluded.block_number;

-- name: NewItems :many
-- The tokens of a contract that the player's wallets hold and received from others since the player last looked.
SELECT DISTINCT x.token_id FROM items_seen s JOIN token_transfer x ON x.chain_id = s.chain_id AND x.block_number > s.block_number
WHERE s.player_id = $1 AND s.chain_id = $2 AND x.contract = $3 AND x.to_address IN (sqlc.arg(smart), sqlc.arg(verified))
  AND x.from_address NOT IN (sqlc.arg(smart), sqlc.arg(verified))
  AND EXISTS (SELECT 1 FROM holding h WHERE h.chain_id = x.chain_id AND h.contract = x.contract AND h.token_id = x.token_id
      AND h.owner IN (sqlc.arg(smart), sqlc.arg(verified)) AND h.amount <> '0');
