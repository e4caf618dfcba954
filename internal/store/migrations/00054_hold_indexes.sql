-- +goose Up
-- Holds are counted by player and by network, and the times of past ones added up, on the index alone.
DROP INDEX cart_hold_player;
CREATE INDEX cart_hold_player ON cart_hold (player_id, expires_at);
DROP INDEX cart_hold_network;
CREATE INDEX cart_hold_network ON cart_hold (network, expires_at);
DROP INDEX hold_time_player;
CREATE INDEX hold_time_player ON hold_time (player_id, listing_id, ended_at, bought, began_at);

-- +goose Down
DROP INDEX hold_time_player;
CREATE INDEX hold_time_player ON hold_time (player_id, listing_id, ended_at);
DROP INDEX cart_hold_network;
CREATE INDEX cart_hold_network ON cart_hold (network);
DROP INDEX cart_hold_player;
CREATE INDEX cart_hold_player ON cart_hold (player_id);
