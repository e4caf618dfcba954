package app

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/testkit"
)

// One wrong setting must not put an empty index in the place of the market.
func TestRebuildIndex_RefusesWrongSettings(t *testing.T) {
	t.Parallel()
	node := newNode(t)
	node.id.Store("0x66eee") // it has no contracts
	for name, test := range map[string]struct {
		chain onchain.ChainID
		want  string
	}{
		"another chain":         {7, "The portal follows the chains 421614 and 80002."},
		"no contracts":          {421614, "PIGGY_MARKETPLACE_ADDRESS: there is no contract at 0x"},
		"an endpoint elsewhere": {80002, "421614"},
	} {
		_, c := configure(t, map[string]string{
			"GAME_CHAIN_RPC_URL": node.URL, "GAME_CHAIN_ID": "421614", "MAIN_CHAIN_RPC_URL": node.URL, "MAIN_CHAIN_ID": "80002",
			"GAME_CHAIN_MAX_HEAD_AGE": "0",
		})
		err := RebuildIndex(t.Context(), c, slog.New(slog.DiscardHandler), test.chain, false, testkit.By("to test it"))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want that it says %q", name, err, test.want)
		}
	}
}

func TestRebuildIndex_OneAtATime(t *testing.T) {
	t.Parallel()
	node := newNode(t)
	node.id.Store("0x66eee")
	_, c := configure(t, map[string]string{"GAME_CHAIN_RPC_URL": node.URL, "GAME_CHAIN_ID": "421614"})
	b := newBase(c, Options{})
	first, err := openShadow(t.Context(), b, c.GameChain)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openShadow(t.Context(), b, c.GameChain); err == nil || !strings.Contains(err.Error(), "Another command rebuilds this index") {
		t.Errorf("a second one: %v", err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	again, err := openShadow(t.Context(), b, c.GameChain)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.close(); err != nil {
		t.Error(err)
	}
	if err := again.remove(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(c.DataDir, "rebuild-*")); len(left) > 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
}
