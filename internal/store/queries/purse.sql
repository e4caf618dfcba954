-- name: InsertCurrencyChange :execrows
INSERT INTO currency_change (id, player_id, code, amount, state, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, sqlc.arg(at), sqlc.arg(at)) ON CONFLICT DO NOTHING;

-- name: CurrencyChange :one
SELECT * FROM currency_change WHERE id = $1;

-- name: CurrencyChangeUnderWay :one
SELECT * FROM currency_change WHERE player_id = $1 AND code = $2 AND state IN ('open', 'sent', 'overdrawn');

-- name: MoveCurrencyChange :execrows
UPDATE currency_change SET state = $1, balance_before = $2, updated_at = $3, version = version + 1
WHERE id = $4 AND version = $5;

-- name: DropCurrencyChange :execrows
DELETE FROM currency_change WHERE id = $1 AND version = $2;

-- name: DebitCurrency :execrows
UPDATE currency_balance SET amount = amount - sqlc.arg(taken)
WHERE player_id = $1 AND code = $2 AND amount >= sqlc.arg(taken);

-- name: CurrencyBalance :one
SELECT amount FROM currency_balance WHERE player_id = $1 AND code = $2;
