package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Snapshot writes a copy of a SQLite database that is in use, as of one moment, to a file that must not exist. Writers go on meanwhile.
func (db *DB) Snapshot(ctx context.Context, path string) error {
	if db.engine != SQLite {
		return errors.New("PostgreSQL is backed up by its own tools")
	}
	return db.alone(func(c *sql.DB) error {
		_, err := c.ExecContext(ctx, "VACUUM INTO ?", path)
		return err
	})
}

// alone runs a task on a connection of its own to a SQLite database.
func (db *DB) alone(do func(*sql.DB) error) (err error) {
	c, err := sql.Open("sqlite", db.source)
	if err != nil {
		return err
	}
	c.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, c.Close()) }()
	return do(c)
}

// mostFindings is how many findings of a check are named.
const mostFindings = 10

// Integrity checks the pages, indexes and foreign keys of a SQLite database, and returns what is wrong, at most ten findings. PostgreSQL
// checks pages as it reads them, if it has checksums.
func (db *DB) Integrity(ctx context.Context) (wrong []string, err error) {
	if db.engine != SQLite {
		return nil, nil
	}
	err = db.alone(func(c *sql.DB) error {
		pages, err := texts(c.QueryContext(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", mostFindings)))
		if err != nil {
			return err
		}
		keys, err := texts(c.QueryContext(ctx, `SELECT DISTINCT 'a row of ' || "table" || ' refers to one of ' || parent || ' that is missing'
			FROM pragma_foreign_key_check`))
		wrong = append(slices.DeleteFunc(pages, func(text string) bool { return text == "ok" }), keys...)
		return err
	})
	return wrong, err
}

// texts returns the first findings of a query.
func texts(rows *sql.Rows, failed error) (out []string, err error) {
	if failed != nil {
		return nil, failed
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if out = append(out, strings.TrimSpace(text)); len(out) > mostFindings {
			break
		}
	}
	return out, rows.Err()
}

// LeaseOn returns until when a lease was last taken on a PostgreSQL database, whatever its schema; zero if it never was.
func LeaseOn(ctx context.Context, url, name string) (expires time.Time, err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return expires, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var exists bool
	if err := db.QueryRowContext(ctx, "SELECT to_regclass('lease') IS NOT NULL").Scan(&exists); err != nil || !exists {
		return expires, err
	}
	var millis int64
	err = db.QueryRowContext(ctx, "SELECT COALESCE(MAX(expires_at), 0) FROM lease WHERE name = $1", name).Scan(&millis)
	if millis > 0 {
		expires = time.UnixMilli(millis)
	}
	return expires, err
}
