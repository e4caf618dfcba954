// Package cursor encodes places in lists that are ordered by time and id, newest first.
package cursor

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
)

// Encode returns the cursor of the page after an entry.
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
		return time.Time{}, "", fault.InvalidFields("This page of the list does not exist.",
			fault.Field{Location: "query.cursor", Message: "Use nextCursor of the page before."})
	}
	return time.UnixMilli(ms), id, nil
}
