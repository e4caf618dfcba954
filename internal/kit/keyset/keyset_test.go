package keyset_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/keyset"
)

const (
	first  = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	second = "QUJDREVGR0hJSktMTU5PUEFCQ0RFRkdISUpLTE1OT1A="
)

func TestParse_TakesSecretsOf32BytesAndNoneTwice(t *testing.T) {
	t.Parallel()
	keys, err := keyset.Parse(first + ", " + second)
	if err != nil || len(keys) != 2 || string(keys[0]) != "0123456789abcdef0123456789abcdef" ||
		string(keys[1]) != "ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP" {
		t.Fatalf("%q, %v", keys, err)
	}
	for text, want := range map[string]string{
		"": "32 bytes", "c2hvcnQ=": "32 bytes", first + ",": "32 bytes", "not base64": "32 bytes", first + "," + first: "twice",
	} {
		if _, err := keyset.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestKeys_DeriveIsByPurpose(t *testing.T) {
	t.Parallel()
	keys, _ := keyset.Parse(first + "," + second)
	tokens, realtime := keys.Derive("tokens"), keys.Derive("realtime")
	if len(tokens) != 2 || len(tokens[0]) != 32 || bytes.Equal(tokens[0], realtime[0]) || bytes.Equal(tokens[0], tokens[1]) {
		t.Errorf("%x, %x", tokens, realtime)
	}
}

// parse returns whether keys accept a token.
func parse(keys keyset.Keys, token string) bool {
	_, err := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"})).Parse(token, keys.Find)
	return err == nil
}

// Spec: RUN-26
func TestKeys_TokensOutliveAReplacement(t *testing.T) {
	t.Parallel()
	former, _ := keyset.Parse(first)
	both, _ := keyset.Parse(second + "," + first)
	next, _ := keyset.Parse(second)
	old, err := former.SignJWT(jwt.MapClaims{"sub": "player"})
	if err != nil {
		t.Fatal(err)
	}
	recent, err := both.SignJWT(jwt.MapClaims{"sub": "player"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		keys  keyset.Keys
		token string
		want  bool
	}{
		{"the former token meanwhile", both, old, true},
		{"the new token meanwhile", both, recent, true},
		{"the former token afterwards", next, old, false},
		{"the new token afterwards", next, recent, true},
		{"the new token where only the former key is known", former, recent, false},
	} {
		if parse(c.keys, c.token) != c.want {
			t.Errorf("%s: accepted is not %v", c.name, c.want)
		}
	}
}

func TestKeys_ATokenIsVerifiedWithTheKeyThatItNames(t *testing.T) {
	t.Parallel()
	both, _ := keyset.Parse(second + "," + first)
	sign := func(kid any, key []byte) string {
		t.Helper()
		token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{})
		if kid != nil {
			token.Header["kid"] = kid
		}
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if !parse(both, sign(nil, both[1])) {
		t.Error("a token without kid, of an earlier release, is refused")
	}
	for name, token := range map[string]string{
		"a kid of no key": sign("0000000000000000", both[1]), "a number": sign(1, both[1]), "another key, no kid": sign(nil, make([]byte, 32)),
	} {
		if parse(both, token) {
			t.Errorf("%s: accepted", name)
		}
	}
}
