package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/files"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/securitylogs"
)

// unchainedPatience is how long an entry may wait for its place in the chain before /readyz tells.
const unchainedPatience = 5 * time.Minute

// newSecurityLog chains the security log, publishes its heads and removes what is old.
func newSecurityLog(b *base) error {
	place, closing, err := openHeads(b.config)
	if err != nil {
		return err
	}
	b.onClose(closing)
	log := securitylogs.New(b.db)
	b.health.Add(health.Check{Name: "security log", Run: func(ctx context.Context) error {
		since, err := log.UnchainedSince(ctx)
		if err == nil && !since.IsZero() && b.clock.Now().Sub(since) > unchainedPatience {
			err = fault.New(fault.Unavailable, "entries wait for their place in the chain: the log says why")
		}
		return err
	}})
	b.lead("security log", securitylog.NewService(securitylog.Options{
		Store: log, Files: place, Keep: b.config.SecurityLog.Keep, Clock: b.clock, Log: b.log,
	}).Run)
	return nil
}

// openHeads returns where the heads of the security log are published; nil for nowhere.
func openHeads(c config.Config) (place securitylog.Files, closing func() error, err error) {
	closing = func() error { return nil }
	switch l := c.SecurityLog; {
	case l.Bucket != "":
		bucket, err := files.NewBucket(bucketOf(c, l.Bucket))
		if err != nil {
			return nil, nil, fmt.Errorf("SECURITY_LOG_BUCKET: %w", err)
		}
		return bucket, bucket.Close, nil
	case l.Folder != "":
		if _, err := os.Stat(l.Folder); err != nil {
			return nil, nil, fmt.Errorf("SECURITY_LOG_DIR: must be a folder that exists: is it mounted? %w", err)
		}
		return files.Folder{Path: l.Folder}, closing, nil
	}
	return nil, closing, nil
}

// signedRecord writes what players' wallets sign into the security log.
type signedRecord struct {
	db       *store.DB
	names    gas.Names
	currency eth.Address
}

func newSignedRecord(b *base, policies []*gas.Policy) signedRecord {
	k, currency := b.config.Contracts, b.currency()
	names := map[eth.Address]string{eth.MustAddress(k.PiggyMarketplace): "the marketplace"}
	for _, t := range collectionsOf(b.config) {
		names[t.address] = t.Slug
	}
	return signedRecord{b.db, gas.Names{
		Name: func(a eth.Address) string { return names[a] },
		Amount: func(token eth.Address, q eth.Quantity) string {
			u, err := money.FromBig(q.Big())
			if err != nil || token != eth.MustAddress(k.USDC) {
				return ""
			}
			return u.Decimal(currency.Decimals) + " " + currency.Symbol
		},
	}, policies[0].Currency}
}

// OperationSigned records an operation; see signer.Record.
func (r signedRecord) OperationSigned(ctx context.Context, player string, chain onchain.ChainID, hash eth.Hash, calls []gas.Call) error {
	e := securitylog.Entry{Event: securitylog.OperationSigned, Subject: player}
	words := r.names.Words(calls, r.currency)
	if len(calls) == 0 {
		e.Event, e.Kind, words = securitylog.OperationCancelled, securitylog.Portal, "no calls"
	}
	e.Detail = fmt.Sprintf("operation %s on chain %d: %s", hash, chain, words)
	return r.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.LogSecurity(ctx, e) })
}

// MessageSigned records a sign-in message, once a minute for a player; see signer.Record.
func (r signedRecord) MessageSigned(ctx context.Context, player string, chain onchain.ChainID, wallet eth.Address) error {
	e := securitylog.Entry{
		Event: securitylog.MessageSigned, Subject: player, Detail: fmt.Sprintf("a sign-in here with %s on chain %d", wallet.Checksum(), chain),
	}
	return r.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.LogSecurityAtMost(ctx, e, 1, true) })
}

// SecurityLog reads the security log of the configured database; see Lookup.
func SecurityLog(ctx context.Context, c config.Config, do func(securitylog.Reader) error) error {
	c.Complete()
	return withStore(ctx, c, store.ReadOnly, func(db *store.DB) error { return do(securitylogs.New(db)) })
}

// Period is from a time up to another; the zero Period has no time.
type Period struct{ From, To time.Time }

func (p Period) has(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

// VerifySecurityLog verifies the security log of the configured database against the given heads and those at the configured place,
// except heads of the lost period, which a restored backup lacks. It calls each, unless that is nil, with the entries in order.
func VerifySecurityLog(
	ctx context.Context, c config.Config, heads []securitylog.PublishedHead, lost Period, each func(securitylog.Entry) error,
) (out securitylog.Verified, err error) {
	began := time.Now()
	err = SecurityLog(ctx, c, func(r securitylog.Reader) (err error) {
		place, closing, err := openHeads(c)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closing()) }()
		if place != nil {
			published, err := securitylog.Published(ctx, place)
			if err != nil {
				return err
			}
			heads = append(heads, slices.DeleteFunc(published, func(h securitylog.PublishedHead) bool { return lost.has(h.At) })...)
		}
		out, err = securitylog.Verify(ctx, r, heads, c.SecurityLog.Keep, time.Now(), each)
		return err
	})
	out.Elapsed = time.Since(began).Round(time.Millisecond).String()
	return out, err
}
