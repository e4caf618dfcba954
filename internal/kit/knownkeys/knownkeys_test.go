package knownkeys_test

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"pantheon/internal/kit/knownkeys"
)

func TestPublisher_NamesWhereAKeyIsPublished(t *testing.T) {
	t.Parallel()
	anvil := func(text string) (key [32]byte) {
		if _, err := hex.Decode(key[:], []byte(text)); err != nil {
			t.Fatal(err)
		}
		return key
	}
	var own [32]byte
	_, _ = rand.Read(own[:]) // never fails
	for _, c := range []struct {
		what string
		key  [32]byte
		want string
	}{
		{"Anvil's first", anvil("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"), "Anvil and Hardhat"},
		{"Hardhat's last", anvil("df57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e"), "Anvil and Hardhat"},
		{"the development manager", knownkeys.Development("manager"), "the development world"},
		{"the development paymaster signer", knownkeys.Development("paymaster signer"), "the development world"},
		{"the eighth seller", knownkeys.Development("seller 8"), "the development world"},
		{"a random key", own, ""},
	} {
		if got := knownkeys.Publisher(c.key); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
