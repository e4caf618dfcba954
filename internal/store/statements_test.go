package store

import "testing"

func TestStatements_PlaceholdersInOrderNeedNoNames(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"SELECT 1": "SELECT 1",
		"INSERT INTO t VALUES ($1, $2), ($3, $4)":             "INSERT INTO t VALUES (?, ?), (?, ?)",
		"SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11": "SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?",
		"SELECT a FROM t WHERE b = $1 AND (c = $2 OR d = $1)": "SELECT a FROM t WHERE b = $1 AND (c = $2 OR d = $1)",
		"SELECT a FROM t WHERE b = $2 AND c = $1":             "SELECT a FROM t WHERE b = $2 AND c = $1",
		"UPDATE t SET a = $2 WHERE b = $1 AND c = $3":         "UPDATE t SET a = $2 WHERE b = $1 AND c = $3",
		"SELECT a FROM t WHERE b = $1 AND c IN (SELECT d FROM u " +
			"WHERE e = $11)": "SELECT a FROM t WHERE b = $1 AND c IN (SELECT d FROM u WHERE e = $11)",
	} {
		if got := positional(query); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", query, got, want)
		}
	}
}
