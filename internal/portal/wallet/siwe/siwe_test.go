package siwe_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/wallet/siwe"
)

// written is what viem's createSiweMessage returns for the same fields; only its times have milliseconds.
const written = "portal.example:8443 wants you to sign in with your Ethereum account:\n0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A\n\n" +
	"Show what this wallet holds in my account. Signing is free and moves nothing.\n\n" +
	"URI: https://portal.example:8443\nVersion: 1\nChain ID: 1337042\nNonce: JBSWY3DPEHPK3PXP\n" +
	"Issued At: 2026-03-01T12:00:00Z\nExpiration Time: 2026-03-01T12:10:00Z"

var message = siwe.Message{
	Domain: "portal.example:8443", Address: eth.MustAddress("0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"),
	Statement: "Show what this wallet holds in my account. Signing is free and moves nothing.", URI: "https://portal.example:8443",
	Chain: 1337042, Nonce: "JBSWY3DPEHPK3PXP", IssuedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	ExpiresAt: time.Date(2026, 3, 1, 12, 10, 0, 0, time.UTC),
}

// Spec: WALLET-18
func TestMessage_IsWrittenAsViemWritesIt(t *testing.T) {
	t.Parallel()
	if got := message.String(); got != written {
		t.Errorf("%q, want %q", got, written)
	}
	if m, err := siwe.Parse(written); err != nil || m != message {
		t.Errorf("read back as %+v, %v", m, err)
	}
}

// The hash that viem's hashMessage returns for a message.
func TestMessage_IsHashedAsWalletsDo(t *testing.T) {
	t.Parallel()
	viem := strings.ReplaceAll(written, ":00Z", ":00.000Z")
	if got := eth.MessageHash([]byte(viem)).String(); got != "0x97a866526972eedcbdc79e9e73f92699cdebad6544220b5de9162c75e386f4e6" {
		t.Error(got)
	}
}

// Spec: WALLET-18
func TestMessage_OnlyMessagesThatWeCouldHaveWrittenAreRead(t *testing.T) {
	t.Parallel()
	change := func(old, to string) string {
		if !strings.Contains(written, old) {
			t.Fatalf("the message has no %q", old)
		}
		return strings.Replace(written, old, to, 1)
	}
	for what, text := range map[string]string{
		"nothing": "", "a line too many": written + "\n", "resources": written + "\nResources:\n- https://evil.example",
		"a request id": written + "\nRequest ID: 1", "a time before which it is not valid": written + "\nNot Before: 2026-03-01T12:00:00Z",
		"no expiration": written[:strings.Index(written, "\nExpiration")], "no statement": change("\n\n"+message.Statement, "\n"),
		"another version": change("Version: 1", "Version: 2"), "another greeting": change("wants you to sign in", "wants you to pay"),
		"an address without checksum": change("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A", "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"),
		"a wrong checksum":            change("0x19E7", "0x19e7"), "a short nonce": change("JBSWY3DPEHPK3PXP", "JBSWY3D"),
		"a nonce with signs":         change("JBSWY3DP", "JBSWY3D-"),
		"a chain with a zero before": change("1337042", "01337042"), "a chain in hex": change("1337042", "0x1466d2"),
		"a negative chain":        change("1337042", "-1"),
		"a chain beyond counting": change("1337042", "99999999999999999999"), "a day that is none": change("2026-03-01T12:10",
			"2026-02-31T12:10"),
		"milliseconds": change("12:10:00Z", "12:10:00.000Z"), "another zone": change("12:10:00Z", "12:10:00+01:00"),
		"a blank at the end": written + " ",
		"carriage returns":   strings.ReplaceAll(written, "\n", "\r\n"), "a tab": change("moves nothing", "moves\tnothing"),
		"a blank in the domain":   change("portal.example:8443 wants", "portal example wants"),
		"a line in the statement": change("Signing is free", "\nSigning is free"), "a letter beyond ASCII": change("Signing", "Sıgning"),
		"fields in another order": change("Version: 1\nChain ID: 1337042", "Chain ID: 1337042\nVersion: 1"),
		"too long":                change("moves", strings.Repeat("m", siwe.MaxLength)),
	} {
		m, err := siwe.Parse(text)
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || f.Reason != "message" || m != (siwe.Message{}) {
			t.Errorf("%s: %+v, %v", what, m, err)
		}
	}
}

// Whatever Parse accepts is exactly what String returns: a message has only one text form.
func TestMessage_HasOneForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := message
		copy(m.Address[:], rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		m.Chain = onchain.ChainID(rapid.Uint64Range(1, 1<<53).Draw(t, "chain"))
		m.Nonce = rapid.StringMatching(`[a-zA-Z0-9]{8,64}`).Draw(t, "nonce")
		m.Statement = rapid.StringMatching(`[ -~]{1,200}`).Draw(t, "statement")
		m.IssuedAt = time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "issued"), 0).UTC()
		m.ExpiresAt = m.IssuedAt.Add(10 * time.Minute)
		if got, err := siwe.Parse(m.String()); err != nil || got != m {
			t.Fatalf("%q is read as %+v, %v", m, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := siwe.Parse(text); err == nil && m.String() != text {
			t.Errorf("%q is read, but would be written as %q", text, m)
		}
	})
}
