package chaos_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// chains are development chains that run in a process of their own.
type chains struct {
	dir, game, main string
	cmd             *exec.Cmd
}

// start starts the process and waits until the chains answer.
func (c *chains) start(t *testing.T) {
	t.Helper()
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "pantheon"))
	must(t, err)
	c.cmd = exec.Command(binary, "chain", "--game", c.game, "--main", c.main)
	c.cmd.Env = append(os.Environ(), "DATA_DIR="+c.dir)
	out, err := c.cmd.StdoutPipe()
	must(t, err)
	must(t, c.cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Main chain: http://"+c.main) {
			return
		}
	}
	t.Fatal("the chains did not start")
}

// kill kills the process with SIGKILL.
func (c *chains) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait() // killed
}

// A portal sells on chains of another process, another program follows them, and the chains may be killed in between.
func TestChain_PortalAndOthersShareChainsOfAnotherProcess(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c := &chains{dir: t.TempDir()}
	for _, address := range []*string{&c.game, &c.main} {
		var err error
		*address, err = testkit.FreeAddress()
		must(t, err)
	}
	c.start(t)
	t.Cleanup(c.kill)
	site := testkit.StartSite(t, testkit.SiteOptions{
		Engine: store.SQLite, Env: []string{"GAME_CHAIN_RPC_URL=http://" + c.game, "MAIN_CHAIN_RPC_URL=ws://" + c.main},
	})
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) }, "the welcome gifts did not arrive")
	for _, killed := range []bool{false, true} {
		if killed {
			c.kill()
			c.start(t)
		}
		listings, err := p.Listings(ctx, "avatars", 1)
		must(t, err)
		must(t, p.Hold(ctx, listings[0]))
		order, err := p.Checkout(ctx)
		must(t, err)
		// The relay may still follow the action before.
		testkit.Eventually(t, waitTimeout, func() bool { return send(ctx, p, order) == nil }, "the payment was refused")
		testkit.Eventually(t, waitTimeout, func() bool {
			order, err = p.Order(ctx, order.OrderID)
			return err == nil && order.State == "complete"
		}, "the order did not become complete: %+v", &order)
		if owner := ownerOf(ctx, t, p, listings[0]); owner != p.Smart {
			t.Errorf("%s owns what was bought, want %s", owner, p.Smart)
		}
	}
	outside, err := ethclient.DialContext(ctx, "ws://"+c.game)
	must(t, err)
	defer outside.Close()
	if code, err := outside.CodeAt(ctx, common.Address(p.Smart), nil); err != nil || len(code) == 0 {
		t.Errorf("another program sees the player's wallet with %d bytes of code, %v", len(code), err)
	}
}
