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

// decimalsError means that decimals() of the currency's contract differs from the brand's.
type decimalsError struct {
	want   int
	answer eth.Bytes
}

func (e *decimalsError) Error() string {
	const text = "USDC_CURRENCY_CONTRACT_ADDRESS: the contract does not have the brand's %d decimals: decimals() is %s"
	return fmt.Sprintf(text, e.want, e.answer)
}

// checkDecimals compares decimals() of the currency's contract (ERC-20) with the brand's: if they differ, all prices and limits are wrong
// by orders of magnitude. It returns a *decimalsError if they do, and other errors if the endpoint does not answer.
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

// checkCurrency runs checkDecimals on a new connection.
func checkCurrency(ctx context.Context, c config.Config) error {
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: c.GameChain.ChainID(), URL: c.GameChain.RPCURL.Reveal()})
	if err != nil {
		return err
	}
	defer client.Close()
	return checkDecimals(ctx, client, c)
}

// decimalsRetry is the pause between attempts while the endpoint does not answer.
const decimalsRetry = 5 * time.Second

// watchCurrency stops the portal if the currency's contract has other decimals than the brand. It retries until the endpoint has answered.
// It ignores an address without a contract, which a new chain may get later.
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
