// Package cursor encodes positions in paginated lists. Cursors are opaque to clients.
package cursor

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
)

// Invalid returns the error for a malformed cursor, a fault.Invalid.
func Invalid() error {
	return fault.InvalidFields("This page of the list does not exist.",
		fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
}

// EncodeRank returns the cursor of the page after an entry of a list sorted by rank and id. order identifies the sort order:
// a cursor of one order is invalid in any other.
func EncodeRank(order string, rank int64, id string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s|%d|%s", order, rank, id))
}

// DecodeRank returns the rank and id of the entry before a page. It returns fault.Invalid for a malformed cursor and for one
// of another order.
func DecodeRank(order, cursor string) (rank int64, id string, err error) {
	text, bad := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.SplitN(string(text), "|", 3)
	if bad != nil || len(parts) != 3 || parts[0] != order {
		return 0, "", Invalid()
	}
	if rank, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return 0, "", Invalid()
	}
	return rank, parts[2], nil
}

// Encode returns the cursor of the page after an entry of a list that is ordered by time and id, newest first.
func Encode(at time.Time, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at.UnixMilli(), 10) + " " + id))
}

// Decode returns the time and id of the entry before a page: for an empty cursor a time after all others. It returns
// fault.Invalid for a malformed cursor.
func Decode(cursor string) (before time.Time, id string, err error) {
	if cursor == "" {
		return time.UnixMilli(math.MaxInt64), "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	at, id, _ := strings.Cut(string(text), " ")
	ms, bad := strconv.ParseInt(at, 10, 64)
	if err != nil || bad != nil || id == "" {
		return time.Time{}, "", Invalid()
	}
	return time.UnixMilli(ms), id, nil
}
