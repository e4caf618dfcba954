package app

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
)

// decimalsError is that a contract has other decimals than the brand says.
type decimalsError struct {
	want   int
	answer eth.Bytes
}

func (e *decimalsError) Error() string {
	const text = "USDC_CURRENCY_CONTRACT_ADDRESS: the contract does not have the brand's %d decimals: decimals() is %s"
	return fmt.Sprintf(text, e.want, e.answer)
}

// checkDecimals checks that the contract of the market's currency has the decimals that the brand says. With others all prices and limits
// would be wrong by orders of magnitude. It returns a *decimalsError if it has not, and other errors if the endpoint does not answer.
func checkDecimals(ctx context.Context, client *rpc.Client, c config.Config) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	var answer eth.Bytes
	call := map[string]string{"to": c.Contracts.USDC, "data": "0x313ce567"} // decimals()
	if err := client.CallContext(ctx, &answer, "eth_call", call, "latest"); err != nil {
		return err
	}
	want := c.Brand.Collections.Currency().Decimals
	if len(answer) != 32 || new(big.Int).SetBytes(answer).Cmp(big.NewInt(int64(want))) != 0 {
		return &decimalsError{want, answer}
	}
	return nil
}

// checkCurrency is checkDecimals by a connection of its own.
func checkCurrency(ctx context.Context, c config.Config) error {
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: c.GameChain.ChainID(), URL: c.GameChain.RPCURL.Reveal()})
	if err != nil {
		return err
	}
	defer client.Close()
	return checkDecimals(ctx, client, c)
}

// decimalsRetry is how long a start waits before it asks an endpoint again that did not answer.
const decimalsRetry = 5 * time.Second

// watchCurrency ends the portal if the contract of the market's currency has other decimals than the brand says. It asks until the
// endpoint has answered. A contract without an answer is left to other checks.
func watchCurrency(b *base, client *rpc.Client) {
	b.replica["currency"] = func(ctx context.Context) error {
		for {
			err := checkDecimals(ctx, client, b.config)
			wrong, ok := errors.AsType[*decimalsError](err)
			switch {
			case ok && len(wrong.answer) == 32:
				return err
			case err == nil || ok:
				<-ctx.Done()
				return nil
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(decimalsRetry):
			}
		}
	}
}
