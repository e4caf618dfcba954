package store

// PreparedBrowseStatements returns how many statements of the market's filters are kept prepared on SQLite.
func (db *DB) PreparedBrowseStatements() int {
	s := db.statements[1]
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.prepared)
}
