package eth_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// The test addresses of EIP-55, by group.
var eip55 = map[string][]string{
	"all caps":  {"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"},
	"all lower": {"0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26"},
	"normal": {
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	},
}

// Spec: WALLET-2
func TestAddress_ChecksumsAreThoseOfEIP55(t *testing.T) {
	t.Parallel()
	for group, addresses := range eip55 {
		for _, s := range addresses {
			for _, form := range []string{s, strings.ToLower(s)} {
				a, err := eth.ParseAddress(form)
				if err != nil || a.Checksum() != s || a.String() != strings.ToLower(s) {
					t.Errorf("%s: %s is read as %s, %v", group, form, a.Checksum(), err)
				}
			}
		}
	}
}

// Spec: WALLET-2
func TestAddress_InvalidAddressesAreRefused(t *testing.T) {
	t.Parallel()
	const good = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	for what, s := range map[string]string{
		"nothing": "", "the prefix alone": "0x", "without the prefix": good[2:], "upper-case prefix": "0X" + good[2:], "too short": good[:41],
		"too long":   good + "0",
		"upper case": "0x" + strings.ToUpper(good[2:]), "one letter of other case": "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"a digit that is none": good[:41] + "g", "blank before": " " + good[:41], "blank after": good[:41] + " ", "zero byte": good[:41] + "\x00",
		"full-width digit": good[:39] + "０", "a hash": "0x" + strings.Repeat("ab", 32),
	} {
		a, err := eth.ParseAddress(s)
		f := fault.As(err)
		if f == nil || f.Code != fault.Invalid || err.Error() != "Invalid address" || !a.IsZero() {
			t.Errorf("%s: %v, %v; want the fault 'Invalid address'", what, a, err)
		}
	}
}

// Flipping the case of any one letter of a checksummed address makes it invalid, unless all letters are then lower
// case.
// Spec: WALLET-2
func TestAddress_ChecksumCatchesAFlippedLetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a eth.Address
		copy(a[:], rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		s := a.Checksum()
		if got, err := eth.ParseAddress(s); err != nil || got != a {
			t.Fatalf("%s is read as %v, %v", s, got, err)
		}
		i := rapid.IntRange(2, 41).Draw(t, "letter")
		flipped := []byte(s)
		if flipped[i] < 'A' {
			return
		}
		flipped[i] ^= 'a' - 'A'
		_, err := eth.ParseAddress(string(flipped))
		if lower := string(flipped) == strings.ToLower(s); (err == nil) != lower {
			t.Fatalf("%s, flipped at %d: %v", s, i, err)
		}
	})
}

func TestAddress_AddressesAndHashesSurviveStorageAndText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a, stored, written eth.Address
		copy(a[:], rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		v, err := a.Value()
		if err != nil || v != strings.ToLower(a.Checksum()) || stored.Scan(v) != nil || stored != a {
			t.Fatalf("stored as %v, read as %v", v, stored)
		}
		text, err := a.MarshalText()
		if err != nil || string(text) != a.Checksum() || written.UnmarshalText(text) != nil || written != a {
			t.Fatalf("written as %s, read as %v", text, written)
		}
		h := eth.Keccak256(a[:])
		for _, s := range []string{h.String(), "0x" + strings.ToUpper(h.String()[2:])} {
			if got, err := eth.ParseHash(s); err != nil || got != h {
				t.Fatalf("%s is read as %v, %v", s, got, err)
			}
		}
		var b eth.Bytes
		if err := b.UnmarshalText([]byte(eth.Bytes(a[:]).String())); err != nil || b.String() != a.String() {
			t.Fatalf("bytes read as %v, %v", b, err)
		}
	})
	var a eth.Address
	if a.Scan(7) == nil || a.Scan(nil) == nil || a.Scan("0x12") == nil {
		t.Error("something else is scanned as an address")
	}
}

// The zero hash and the empty text stand for none.
func TestAddress_HashesAndBytesAreStoredAsText(t *testing.T) {
	t.Parallel()
	hash := eth.Hash{1, 31: 2}
	const text = "0x0100000000000000000000000000000000000000000000000000000000000002"
	for want, h := range map[string]eth.Hash{"": {}, text: hash} {
		v, err := h.Value()
		if err != nil || v != want {
			t.Errorf("%s is stored as %q (%v)", h, v, err)
		}
		back := eth.Hash{9}
		if err := back.Scan(want); err != nil || back != h {
			t.Errorf("%q is read as %s (%v)", want, back, err)
		}
	}
	if v, err := (eth.Bytes{0xab, 0}).Value(); err != nil || v != "0xab00" {
		t.Errorf("bytes are stored as %q (%v)", v, err)
	}
	var b eth.Bytes
	if err := b.Scan("0xab00"); err != nil || b.String() != "0xab00" {
		t.Errorf("bytes are read as %s (%v)", b, err)
	}
	a := eth.Address{1}
	if err := a.Scan(""); err != nil || !a.IsZero() {
		t.Errorf("an empty text is read as %s (%v)", a, err)
	}
	var h eth.Hash
	if h.Scan(nil) == nil || h.Scan("0x12") == nil || b.Scan(nil) == nil || b.Scan("12") == nil {
		t.Error("something else is read as a hash or bytes")
	}
}

func TestAddress_InvalidHashesAndBytesAreRefused(t *testing.T) {
	t.Parallel()
	good := eth.Keccak256(nil).String()
	if good != "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470" {
		t.Fatalf("Keccak-256 of nothing is %s", good)
	}
	for _, s := range []string{"", "0x", good[2:], good[:65], good + "0", "0X" + good[2:], good[:65] + "g"} {
		if h, err := eth.ParseHash(s); !fault.Is(err, fault.Invalid) || !h.IsZero() {
			t.Errorf("%q is read as the hash %v, %v", s, h, err)
		}
	}
	for _, s := range []string{"", "0", "ab", "0xa", "0xag", "0Xab"} {
		var b eth.Bytes
		if err := b.UnmarshalText([]byte(s)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is read as the bytes %v, %v", s, b, err)
		}
	}
}

func TestAddress_ChecksumsOfAddressesThatShareASlotDiffer(t *testing.T) {
	t.Parallel()
	for range 2 { // computed, then kept
		for _, want := range []string{"0x00000000000000000000000000000000DeaDBeef", "0x10000000000000000000000000000000deaDbeEF"} {
			if got := eth.MustAddress(strings.ToLower(want)).Checksum(); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}
