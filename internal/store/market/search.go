package market

import (
	_ "embed"
	"strings"

	"pantheon/internal/store"
)

// Full-text search is the only feature with queries of its own for each engine.
var (
	//go:embed search/sqlite_tokens.sql
	sqliteSearchTokens string
	//go:embed search/postgresql_tokens.sql
	postgresSearchTokens string
)

// search is the full-text search of one engine.
type search struct {
	tokens string // selects contract and token_id of the tokens that match its argument
	counts string // selects a row for each of them, which costs less
	// match returns the argument that matches tokens with a word that begins with each of the given. Words are those of
	// market.SearchWords, so they need no escaping.
	match func(words []string) string
	// position is the SQL function that returns the position of its second argument in the first, counted from 1; 0 if absent.
	position string
}

var searches = map[store.Engine]search{
	// https://www.sqlite.org/fts5.html#fts5_prefix_queries
	store.SQLite: {strings.TrimSpace(sqliteSearchTokens), "SELECT rowid FROM token_search WHERE token_search MATCH ?",
		func(words []string) string {
			return `"` + strings.Join(words, `"* "`) + `"*`
		}, "INSTR"},
	// https://www.postgresql.org/docs/15/datatype-textsearch.html#DATATYPE-TSQUERY
	store.PostgreSQL: {strings.TrimSpace(postgresSearchTokens), strings.TrimSpace(postgresSearchTokens),
		func(words []string) string {
			return `'` + strings.Join(words, `':* & '`) + `':*`
		}, "STRPOS"},
}
