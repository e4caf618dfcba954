package emailcode_test

import (
	"regexp"
	"testing"

	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/keyset"
)

func TestNew_CodesHaveEightDigits(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		code, err := emailcode.New()
		if err != nil || !regexp.MustCompile(`^[0-9]{8}$`).MatchString(code) {
			t.Fatalf("%q, %v", code, err)
		}
		seen[code] = true
	}
	if len(seen) < 990 {
		t.Errorf("%d of 1000 codes differ", len(seen))
	}
}

func TestHash_BindsKeyPurposeAndDigits(t *testing.T) {
	t.Parallel()
	keys := keyset.Keys{[]byte("key")}
	hash := emailcode.Hash(keys, "deletion A", "01234567")
	for typed, same := range map[string]bool{"01234567": true, " 0123 4567\n": true, "1234567": false, "01234568": false, "": false} {
		if emailcode.Matches(keys, "deletion A", typed, hash) != same {
			t.Errorf("%q: matches is not %v", typed, same)
		}
	}
	another := keyset.Keys{[]byte("another")}
	if emailcode.Matches(keys, "deletion B", "01234567", hash) || emailcode.Matches(another, "deletion A", "01234567", hash) {
		t.Error("another purpose or key has the same hash")
	}
}

func TestMatches_ACodeOutlivesAReplacementOfTheKey(t *testing.T) {
	t.Parallel()
	former, next := []byte("former"), []byte("next")
	hash := emailcode.Hash(keyset.Keys{former}, "deletion A", "01234567")
	if !emailcode.Matches(keyset.Keys{next, former}, "deletion A", "01234567", hash) {
		t.Error("a code of the former key is refused meanwhile")
	}
	if emailcode.Matches(keyset.Keys{next}, "deletion A", "01234567", hash) {
		t.Error("a code of the former key is accepted afterwards")
	}
}
