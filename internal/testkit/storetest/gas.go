package storetest

import (
	"context"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// GasChain is the chain of the operations.
const GasChain onchain.ChainID = 1337042

// The time and the wallet of the operations.
var (
	GasStart  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	GasSender = eth.MustAddress("0x00000000000000000000000000000000000000aa")
)

// HashOf returns the hash of a text.
func HashOf(text string) eth.Hash { return eth.Keccak256([]byte(text)) }

// Operation returns a player's operation by its name.
func Operation(name string, nonce uint64) gas.Operation {
	return gas.Operation{
		Hash: HashOf(name), Chain: GasChain, EntryPoint: GasSender, Player: "P", CreatedAt: GasStart,
		Operation: eth.UserOperation{
			Sender: GasSender, Nonce: eth.NewQuantity(nonce), CallData: gas.EncodeCalls([]gas.Call{{Target: GasSender, Data: []byte(name)}}),
			Signature: []byte{1},
		},
	}
}

// GasTransaction returns a transaction of the portal's wallet.
func GasTransaction(id string) gas.Transaction {
	return gas.Transaction{
		ID: id, Chain: GasChain, From: GasSender, To: GasSender, Value: money.FromInt(5), Data: []byte("data of " + id), GasLimit: 21000,
		CreatedAt: GasStart,
	}
}

// GasAttempt returns a signed attempt.
func GasAttempt(name string) gas.Attempt {
	return gas.Attempt{Hash: HashOf(name), Raw: []byte("raw " + name), FeeCap: money.FromInt(9), TipCap: money.FromInt(1), AtBlock: 3}
}

// Sponsor gives the operation a sponsorship in a long-lived session of its player.
func Sponsor(t testing.TB, db *store.DB, op gas.Operation) {
	t.Helper()
	Must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		session := "S" + op.Player
		if _, err := tx.Queries.Session(ctx, session); err != nil {
			if err := tx.InsertSession(ctx, gen.InsertSessionParams{
				ID: session, PlayerID: op.Player, SecretHash: session, ExpiresAt: column.At(GasStart.AddDate(10, 0, 0)),
			}); err != nil {
				return err
			}
		}
		return tx.InsertSponsorship(ctx, gen.InsertSponsorshipParams{
			Operation: op.Hash, ChainID: op.Chain, PlayerID: op.Player, SessionID: session, Sender: eth.Address(op.Hash[:20]),
			State: "reserved", Gwei: 1, CreatedAt: column.At(op.CreatedAt), ExpiresAt: column.At(op.CreatedAt.Add(10 * time.Minute)),
		})
	}))
}

// Must fails the test on an error in its setup.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Payment returns the hash of a payment's operation.
func Payment(n byte) eth.Hash { return eth.Keccak256([]byte{'o', 'p', n}) }
