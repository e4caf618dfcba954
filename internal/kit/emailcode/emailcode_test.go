package emailcode_test

import (
	"regexp"
	"testing"

	"pantheon/internal/kit/emailcode"
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
	hash := emailcode.Hash([]byte("key"), "deletion A", "01234567")
	for typed, same := range map[string]bool{"01234567": true, " 0123 4567\n": true, "1234567": false, "01234568": false, "": false} {
		if emailcode.Equal(hash, emailcode.Hash([]byte("key"), "deletion A", typed)) != same {
			t.Errorf("%q: equal is not %v", typed, same)
		}
	}
	if emailcode.Equal(hash, emailcode.Hash([]byte("key"), "deletion B", "01234567")) ||
		emailcode.Equal(hash, emailcode.Hash([]byte("another"), "deletion A", "01234567")) {
		t.Error("another purpose or key has the same hash")
	}
}
