package securitylog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/securitylog"
)

var start = time.Date(2026, 12, 1, 10, 0, 0, 123_000_000, time.UTC)

// chain returns a chain of entries.
func chain(n int) (out []securitylog.Entry) {
	var head securitylog.Head
	for i := range n {
		e := securitylog.Entry{ID: fmt.Sprint("id", i+1), At: start.Add(time.Duration(i) * time.Second), Event: "session.opened", Kind: "player",
			Actor: "A1", Subject: "A1", Detail: "Firefox on Linux"}
		head = head.Next(e)
		e.Sequence, e.Hash = head.Sequence, head.Hash
		out = append(out, e)
	}
	return out
}

func verify(entries []securitylog.Entry, end securitylog.Head, published ...securitylog.Head) securitylog.Verified {
	var heads []securitylog.PublishedHead
	for _, h := range published {
		heads = append(heads, securitylog.PublishedHead{Head: h, At: start})
	}
	v := securitylog.NewVerifier(securitylog.Head{}, heads)
	for _, e := range entries {
		v.Add(e)
	}
	return v.End(end)
}

func headOf(e securitylog.Entry) securitylog.Head {
	return securitylog.Head{Sequence: e.Sequence, Hash: e.Hash}
}

// The hash is the one that its description says, so that a stranger can compute it.
func TestSecurityLog_HashIsAsDescribed(t *testing.T) {
	t.Parallel()
	e := securitylog.Entry{ID: "X", At: start, Event: "player freeze", Kind: "operator", Actor: "ada@db-1", Subject: "A1", Session: "S",
		Network: "n", Refusal: "r", Detail: "dé", Reason: "stolen card"}
	const text = "2:ab,1:8,1:X,24:2026-12-01T10:00:00.123Z,13:player freeze,8:operator,8:ada@db-1,2:A1,1:S,1:n,1:r,3:dé,11:stolen card,"
	sum := sha256.Sum256([]byte(text))
	if got, want := (securitylog.Head{Sequence: 7, Hash: "ab"}).Next(e), hex.EncodeToString(sum[:]); got.Sequence != 8 || got.Hash != want {
		t.Errorf("the head is %s, want 8:%s", got, want)
	}
}

// What is done to a chain is found and named. It is rewritten from where it is changed, unless hash is false.
func TestSecurityLog_ForgeriesAreNamed(t *testing.T) {
	t.Parallel()
	whole := chain(9)
	end := headOf(whole[8])
	if v := verify(whole, end, headOf(whole[3]), end); len(v.Faults) != 0 || v.Head != end || v.Published != 2 {
		t.Fatalf("the chain as it was written: %+v", v)
	}
	rewrite := func(entries []securitylog.Entry) []securitylog.Entry {
		var head securitylog.Head
		for i := range entries {
			head = head.Next(entries[i])
			entries[i].Sequence, entries[i].Hash = head.Sequence, head.Hash
		}
		return entries
	}
	last := func(entries []securitylog.Entry) securitylog.Head { return headOf(entries[len(entries)-1]) }
	for name, c := range map[string]struct {
		change func(entries []securitylog.Entry) []securitylog.Entry
		end    func(entries []securitylog.Entry) securitylog.Head // nil for the true one
		want   []string
	}{
		"changed": {
			func(e []securitylog.Entry) []securitylog.Entry { e[4].Detail = "Chrome on Windows"; return e }, nil,
			[]string{"entry 5 (id5, 2026-12-01T10:00:04Z) was changed, or the one before it: its hash does not follow"},
		},
		"another reason": {
			func(e []securitylog.Entry) []securitylog.Entry { e[4].Reason = "because"; return e }, nil,
			[]string{"entry 5 (id5, 2026-12-01T10:00:04Z) was changed, or the one before it: its hash does not follow"},
		},
		"changed, with a hash to match": {
			func(e []securitylog.Entry) []securitylog.Entry {
				e[4].Detail = "x"
				e[4].Hash = headOf(e[3]).Next(e[4]).Hash
				return e
			}, nil,
			[]string{"entry 6 (id6, 2026-12-01T10:00:05Z) was changed, or the one before it: its hash does not follow"},
		},
		"removed": {func(e []securitylog.Entry) []securitylog.Entry { return slices.Delete(e, 4, 5) }, nil, []string{"entry 5 is missing"}},
		"two removed": {
			func(e []securitylog.Entry) []securitylog.Entry { return slices.Delete(e, 4, 6) }, nil, []string{"entries 5 to 6 are missing"},
		},
		"first removed": {func(e []securitylog.Entry) []securitylog.Entry { return e[1:] }, nil, []string{"entry 1 is missing"}},
		"last removed": {
			func(e []securitylog.Entry) []securitylog.Entry { return e[:8] }, nil, []string{"entries 9 to 9 are missing at the end"},
		},
		"swapped": {
			func(e []securitylog.Entry) []securitylog.Entry {
				e[3].ID, e[4].ID = e[4].ID, e[3].ID
				return e
			}, nil,
			[]string{
				"entry 4 (id5, 2026-12-01T10:00:03Z) was changed, or the one before it: its hash does not follow",
				"entry 5 (id4, 2026-12-01T10:00:04Z) was changed, or the one before it: its hash does not follow",
			},
		},
		"the end removed, and its record": {
			func(e []securitylog.Entry) []securitylog.Entry { return e[:6] }, last,
			[]string{"entry 7 was published and is missing"},
		},
		"all rewritten": {
			func(e []securitylog.Entry) []securitylog.Entry { e[1].Detail = "x"; return rewrite(e) }, last,
			[]string{"entry 7 (id7, 2026-12-01T10:00:06Z) does not have the hash that was published of it: the chain was rewritten up to it"},
		},
		"added in the middle": {
			func(e []securitylog.Entry) []securitylog.Entry {
				return rewrite(slices.Insert(e, 2, securitylog.Entry{ID: "forged"}))
			}, last,
			[]string{"entry 7 (id6, 2026-12-01T10:00:05Z) does not have the hash that was published of it: the chain was rewritten up to it"},
		},
	} {
		entries := c.change(slices.Clone(whole))
		head := end
		if c.end != nil {
			head = c.end(entries)
		}
		if v := verify(entries, head, headOf(whole[6])); !slices.Equal(v.Faults, c.want) {
			t.Errorf("%s: %q, want %q", name, v.Faults, c.want)
		}
	}
}

func TestSecurityLog_HeadsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	h := securitylog.Head{Sequence: 12, Hash: strings.Repeat("ab", 32)}
	if got, err := securitylog.ParseHead(h.String()); err != nil || got != h {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"", "12", "12:", "x:" + h.Hash, "0:" + h.Hash, "12:abc"} {
		if _, err := securitylog.ParseHead(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
