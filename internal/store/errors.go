package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"pantheon/internal/kit/fault"
)

// errUnavailable asks clients to come back after a failover's usual time.
var errUnavailable = &fault.Fault{
	Code: fault.Unavailable, Message: "We cannot reach our database just now. Please try again in a moment.", RetryAfter: 5 * time.Second,
}

// errText is returned for a zero byte in a text, which PostgreSQL rejects and only a malformed request contains.
var errText = fault.New(fault.Invalid, "This contains characters that cannot be used here.")

// Classify turns a lost or closed database and a full disk into fault.Unavailable, a text that cannot be stored into
// fault.Invalid, and returns other errors unchanged.
func Classify(err error) error {
	if err == nil || fault.As(err) != nil || errors.Is(err, context.Canceled) {
		return err
	}
	if lostDatabase(err) || isReadOnly(err) {
		return errUnavailable.Because(err)
	}
	// PostgreSQL, Appendix A: 22021 character_not_in_repertoire.
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "22021" {
		return errText.Because(err)
	}
	return explainPooler(err)
}

func lostDatabase(err error) bool {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY:
			return true
		}
		return false
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		// PostgreSQL, Appendix A: 08 connection exception, 53 insufficient resources, 57P operator intervention, 58 system error.
		switch class := pg.Code[:2]; class {
		case "08", "53", "58":
			return true
		}
		return pg.Code[:3] == "57P"
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	// database/sql and pgx do not export these errors.
	for _, closed := range []string{"sql: database is closed", "sql: statement is closed", "conn closed"} {
		if strings.HasSuffix(err.Error(), closed) {
			return true
		}
	}
	for _, lost := range []error{
		driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, errClosed, context.DeadlineExceeded,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// isRetryable reports whether err is a PostgreSQL serialization_failure or deadlock_detected.
func isRetryable(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "40001" || pg.Code == "40P01")
}

// IsDuplicate reports whether err is a violation of a primary key or unique constraint.
func IsDuplicate(err error) bool {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "23505"
}

// NotFound turns sql.ErrNoRows into a fault.
func NotFound(err error, message string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, "%s", message)
	}
	return err
}
