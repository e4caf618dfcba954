package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/onchain"
)

const (
	// serviceTimeout is how long an external bundler or paymaster may take for an answer.
	serviceTimeout = 5 * time.Second
	// serviceRest is how long the result of a service's check is used again: services count calls.
	serviceRest = 30 * time.Second
)

// openServices opens the clients of a chain's external bundler and paymaster; nil for none. /readyz has a part for each.
func openServices(b *base, c *chainParts) (bundler, paymaster *rpc.Client, err error) {
	open := func(kind string, url config.Secret, check func(context.Context, *rpc.Client) error) (*rpc.Client, error) {
		if url == "" {
			return nil, nil
		}
		client, err := newService(c.name+" "+kind, c.config, url)
		if err != nil {
			return nil, err
		}
		b.onClose(func() error { client.Close(); return nil })
		b.health.Add(health.Check{Name: c.name + " " + kind, Impairs: health.Sponsor,
			Run: rested(serviceRest, b.clock.Now, func(ctx context.Context) error { return check(ctx, client) })})
		return client, nil
	}
	entryPoint := eth.MustAddress(b.config.Contracts.EntryPoint)
	bundler, err = open("bundler", c.config.BundlerURL, func(ctx context.Context, client *rpc.Client) error {
		return checkBundler(ctx, client, entryPoint)
	})
	if err != nil {
		return nil, nil, err
	}
	paymaster, err = open("paymaster", c.config.PaymasterURL, checkPaymaster)
	return bundler, paymaster, err
}

func newService(name string, chain config.Chain, url config.Secret) (*rpc.Client, error) {
	return rpc.New(rpc.Options{Name: name, ChainID: chain.ChainID(), URL: url.Reveal(), Timeout: serviceTimeout})
}

// rested returns a check that asks again only after a while, and at once after a failure.
func rested(rest time.Duration, now func() time.Time, check func(context.Context) error) func(context.Context) error {
	var mu sync.Mutex
	var good time.Time
	return func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if !good.IsZero() && now().Before(good.Add(rest)) {
			return nil
		}
		err := check(ctx)
		if good = (time.Time{}); err == nil {
			good = now()
		}
		return err
	}
}

// checkBundler checks that a bundler answers, for the chain and the EntryPoint (ERC-7769).
func checkBundler(ctx context.Context, client *rpc.Client, entryPoint eth.Address) error {
	if err := checkChainID(ctx, client, false); err != nil {
		return err
	}
	var supported []eth.Address
	if err := client.CallContext(ctx, &supported, "eth_supportedEntryPoints"); err != nil {
		return errLost.Because(err)
	}
	if !slices.Contains(supported, entryPoint) {
		return fault.New(fault.Unavailable, "it does not support the EntryPoint %s", entryPoint.Checksum())
	}
	return nil
}

// checkPaymaster checks that a paymaster's service answers, for the chain if it tells: ERC-7677 has no method to ask for it.
func checkPaymaster(ctx context.Context, client *rpc.Client) error {
	return checkChainID(ctx, client, true)
}

func checkChainID(ctx context.Context, client *rpc.Client, mayRefuse bool) error {
	var id eth.Quantity
	err := client.CallContext(ctx, &id, "eth_chainId")
	var refusal gethrpc.Error
	switch {
	case mayRefuse && errors.As(err, &refusal):
		return nil
	case err != nil:
		return errLost.Because(err)
	}
	if n, ok := id.Uint64(); !ok || onchain.ChainID(n) != client.ID() {
		return fault.New(fault.Unavailable, "it serves another chain")
	}
	return nil
}

// checkServices checks the external bundler and paymaster of a chain, for pantheon check.
func checkServices(ctx context.Context, c config.Config, name string, chain config.Chain) (out []Connection) {
	for _, s := range []struct {
		kind  string
		url   config.Secret
		check func(context.Context, *rpc.Client) error
	}{
		{"bundler", chain.BundlerURL, func(ctx context.Context, client *rpc.Client) error {
			return checkBundler(ctx, client, eth.MustAddress(c.Contracts.EntryPoint))
		}},
		{"paymaster", chain.PaymasterURL, checkPaymaster},
	} {
		if s.url == "" {
			continue
		}
		client, err := newService(name+" "+s.kind, chain, s.url)
		if err == nil {
			err = func() error {
				defer client.Close()
				ctx, cancel := context.WithTimeout(ctx, checkTimeout)
				defer cancel()
				return s.check(ctx, client)
			}()
		}
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // which says more
		}
		out = append(out, Connection{Name: name + " chain " + s.kind, Err: err})
	}
	return out
}
