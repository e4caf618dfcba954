package beacon

import (
	"encoding/hex"
	"testing"
)

// The public key of drand's quicknet and one of its rounds, from drand's public documentation.
const (
	quicknetKey = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c" +
		"8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
	quicknetRound      = 657413
	quicknetSignature  = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
	quicknetRandomness = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func quicknet(t testing.TB) *PublicKey {
	t.Helper()
	k, err := ParsePublicKey(unhex(t, quicknetKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Spec: DRAW-15
func TestPublicKey_ARealRoundOfQuicknetIsVerified(t *testing.T) {
	t.Parallel()
	got, err := VerifyRound(unhex(t, quicknetKey), quicknetRound, unhex(t, quicknetSignature))
	if err != nil {
		t.Fatal(err)
	}
	if hex.EncodeToString(got[:]) != quicknetRandomness {
		t.Errorf("randomness %x", got)
	}
}

func TestPublicKey_AnyOtherSignatureIsRefused(t *testing.T) {
	t.Parallel()
	key, signature := quicknet(t), unhex(t, quicknetSignature)
	if _, err := key.Randomness(quicknetRound+1, signature); err == nil {
		t.Error("the signature counts for another round")
	}
	for i := range signature {
		forged := append([]byte(nil), signature...)
		forged[i] ^= 1
		if _, err := key.Randomness(quicknetRound, forged); err == nil {
			t.Errorf("a signature with byte %d changed counts", i)
		}
	}
	infinity := append([]byte{0xc0}, make([]byte, 47)...)
	for what, s := range map[string][]byte{
		"nothing": nil, "too little": signature[:47], "too much": append(append([]byte(nil), signature...), 0), "infinity": infinity,
	} {
		if _, err := key.Randomness(quicknetRound, s); err == nil {
			t.Errorf("%s counts as a signature", what)
		}
	}
	other := NewSigner([32]byte{1})
	if _, err := other.PublicKey().Randomness(quicknetRound, signature); err == nil {
		t.Error("the signature counts for another beacon")
	}
}

func TestPublicKey_WhatIsNoPointIsRefused(t *testing.T) {
	t.Parallel()
	good := unhex(t, quicknetKey)
	changed := append([]byte(nil), good...)
	changed[95] ^= 1
	for what, b := range map[string][]byte{
		"nothing": nil, "too little": good[:95], "a point beside the curve": changed, "infinity": append([]byte{0xc0}, make([]byte, 95)...),
	} {
		if _, err := ParsePublicKey(b); err == nil {
			t.Errorf("%s counts as a key", what)
		}
	}
}

func TestSigner_ItsRoundsAreVerified(t *testing.T) {
	t.Parallel()
	s := NewSigner([32]byte{7})
	for _, round := range []uint64{1, 2, 1 << 40} {
		signature, err := s.Sign(round)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.PublicKey().Randomness(round, signature); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkPublicKey_Randomness(b *testing.B) {
	key, signature := quicknet(b), unhex(b, quicknetSignature)
	for b.Loop() {
		if _, err := key.Randomness(quicknetRound, signature); err != nil {
			b.Fatal(err)
		}
	}
}
