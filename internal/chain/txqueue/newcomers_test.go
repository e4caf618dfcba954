package txqueue_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// The starter kits of ten players who register at once share blocks: at a block each, which is a second at least, the chain's
// clock would run ahead of the beacon's, and the next opening would wait for its round.
func TestQueue_TenNewcomersAtOnceDoNotSpeedUpTheChainsClock(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{MaxLead: time.Second})
	heads := make(chan *types.Header, 128)
	sub, err := ethclient.NewClient(chain.Client()).SubscribeNewHead(t.Context(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	g := gasstore.New(testkit.Database(t, store.SQLite))
	q, _ := run(t, options(chain, g))
	var all sync.WaitGroup
	for player := range 10 {
		all.Go(func() {
			for gift := range 5 {
				if _, err := q.Send(t.Context(), payment(fmt.Sprintf("player %d, gift %d", player, gift), payee(t))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for player := range 10 {
		for gift := range 5 {
			await(t, g, fmt.Sprintf("player %d, gift %d", player, gift), gas.TransactionMined)
		}
	}
	for {
		select {
		case head := <-heads:
			if lead := time.Until(time.Unix(int64(head.Time), 0)); lead >= 2*time.Second {
				t.Errorf("block %d leads the clock by %v", head.Number, lead)
			}
		default:
			return
		}
	}
}
