package cursor_test

import (
	"encoding/base64"
	"testing"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/fault"
)

func TestCursor_IsTheEntryBeforeThePage(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_767_225_600_123)
	before, id, err := cursor.Decode(cursor.Encode(at, "burn 1 x"))
	if err != nil || !before.Equal(at) || id != "burn 1 x" {
		t.Errorf("%v %q %v", before, id, err)
	}
	if before, id, err := cursor.Decode(""); err != nil || id != "" || before.Year() < 10000 {
		t.Errorf("the first page begins before %v %q, %v", before, id, err)
	}
	for _, bad := range []string{
		"!", base64.RawURLEncoding.EncodeToString([]byte("x 1")), base64.RawURLEncoding.EncodeToString([]byte("17")),
	} {
		if _, _, err := cursor.Decode(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCursor_IsValidInItsOwnOrderOnly(t *testing.T) {
	t.Parallel()
	at := cursor.EncodeRank("price", -5, "1|2")
	rank, id, err := cursor.DecodeRank("price", at)
	if err != nil || rank != -5 || id != "1|2" {
		t.Errorf("%d %q %v", rank, id, err)
	}
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for _, bad := range []string{
		"", "!", cursor.EncodeRank("newest", 1, "x"), encode("price|x|1"), encode("price|1"), encode("price|9223372036854775808|1"),
	} {
		if _, _, err := cursor.DecodeRank("price", bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
