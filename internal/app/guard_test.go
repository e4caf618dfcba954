package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
)

// open allows everything, and counts the calls.
type open struct{ asked int }

func (o *open) Allow(context.Context, gas.Intent) error {
	o.asked++
	return nil
}

// calls returns one call of each function; the arguments do not matter here.
func calls(functions ...string) (out []gas.Call) {
	for _, f := range functions {
		selector := gas.SelectorOf(f)
		out = append(out, gas.Call{Target: eth.Address{1}, Data: append(selector[:], make([]byte, 9*32)...)})
	}
	return out
}

const (
	approving  = "approve(address,uint256)"
	buying     = "buyFromListing(uint256,address,uint256,address,uint256)"
	listing    = "createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool))"
	changing   = "updateListing(uint256,(address,uint256,uint256,address,uint256,uint128,uint128,bool))"
	cancelling = "cancelListing(uint256)"
	burning    = "burn(uint256)"
	burningOf  = "burn(address,uint256,uint256)"
)

// What is switched off is neither signed nor relayed, also in a batch with other calls; everything else is.
// Spec: FLAG-7
func TestGuard_DisabledFeaturesAreNeitherSignedNorRelayed(t *testing.T) {
	t.Parallel()
	all := []string{approving, buying, listing, changing, cancelling, burning, burningOf}
	for key, stopped := range map[string][]string{
		flags.AllowPurchase: {buying}, flags.AllowListing: {listing, changing}, flags.AllowOpening: {burning, burningOf},
		flags.PowerPacks:  {burning, burningOf},
		flags.AllowClaims: {}, flags.AllowWebstore: {},
	} {
		next := &open{}
		guard := switchGuard{switchedOff(t, key), eth.Address{1}, next}
		for _, function := range all {
			isStopped := slices.Contains(stopped, function)
			for _, batch := range [][]gas.Call{calls(function), calls(approving, function, cancelling)} {
				before := next.asked
				err := guard.Allow(t.Context(), gas.Intent{Player: "A", Chain: 1, Calls: batch})
				f := fault.As(err)
				if isStopped && (f == nil || f.Code != fault.Conflict || f.Reason != flags.ReasonPaused) || !isStopped && err != nil {
					t.Errorf("%s with %s off: %v", function, key, err)
				}
				if asked := next.asked > before; asked == isStopped {
					t.Errorf("%s with %s off: the next guard was asked: %v", function, key, asked)
				}
			}
		}
	}
}

// Power packs have a switch of their own, which stops no other burn.
func TestGuard_PowerPacksHaveASwitchOfTheirOwn(t *testing.T) {
	t.Parallel()
	next := &open{}
	guard := switchGuard{switchedOff(t, flags.PowerPacks), eth.Address{2}, next}
	if err := guard.Allow(t.Context(), gas.Intent{Player: "A", Chain: 1, Calls: calls(burningOf)}); err != nil || next.asked != 1 {
		t.Errorf("a burn of something else: %v", err)
	}
}

// switchedOff returns the default flags with one of them off.
func switchedOff(t *testing.T, key string) *flags.Service {
	t.Helper()
	text, err := os.ReadFile("../../brands/pantheon/flags.yaml")
	if err != nil {
		t.Fatal(err)
	}
	off := strings.Replace(string(text), "key: "+key+"\n    enabled: true", "key: "+key+"\n    enabled: false", 1)
	if off == string(text) {
		t.Fatalf("%s was not switched off", key)
	}
	path := filepath.Join(t.TempDir(), "flags.yaml")
	if err := os.WriteFile(path, []byte(off), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := flags.New(t.Context(), flags.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What an operation does with listings is read from its calls.
func TestGuard_ReadsWhatCallsList(t *testing.T) {
	t.Parallel()
	word := func(n uint64) []byte { q := eth.NewQuantity(n); return q[:] }
	call := func(function string, words ...uint64) gas.Call {
		selector := gas.SelectorOf(function)
		c := gas.Call{Target: eth.Address{19: 5}, Data: selector[:]}
		for _, n := range words {
			c.Data = append(c.Data, word(n)...)
		}
		return c
	}
	op, err := sellingOf([]gas.Call{
		call(cancelling, 4), call(changing, 3, 9, 7, 2, 1, 500, 0, 0, 0), call(listing, 9, 8, 6, 1, 900, 0, 0, 0),
		call(burningOf, 1, 7, 2), call("safeTransferFrom(address,address,uint256,uint256,bytes)", 1, 2, 7, 3, 160, 0),
		call("transferFrom(address,address,uint256)", 1, 2, 8),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(op.Cancelled, op.Changes, op.Offers, op.Leaving)
	const want = "[4] [{3 2 500}] [{{0x0000000000000000000000000000000000000009 8} 6 900}] " +
		"map[{0x0000000000000000000000000000000000000005 7}:5 {0x0000000000000000000000000000000000000005 8}:1]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
