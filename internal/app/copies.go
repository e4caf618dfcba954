package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/files"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/operators"
)

// copiesInterval is the interval at which wallets without a current copy are looked for. New wallets are copied before they are used.
const copiesInterval = time.Minute

// copiesPatience is how long a wallet may exist without a copy before /readyz tells.
const copiesPatience = 10 * time.Minute

// openCopies returns the second place of wallets; nil if none is configured.
func openCopies(c config.Config, ring signer.Ring, db *store.DB, now clock.Clock) (copies *wallet.Copies, closing func() error, err error) {
	var place wallet.Files
	closing = func() error { return nil }
	switch w := c.WalletCopies; {
	case w.Bucket != "":
		bucket, err := files.NewBucket(bucketOf(c, w.Bucket))
		if err != nil {
			return nil, nil, fmt.Errorf("WALLET_COPIES_BUCKET: %w", err)
		}
		place, closing = bucket, bucket.Close
	case w.Folder != "":
		if _, err := os.Stat(w.Folder); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("WALLET_COPIES_DIR: must be a folder that exists: is it mounted? %w", err)
		}
		place = files.Folder{Path: w.Folder}
	default:
		return nil, closing, nil
	}
	box, err := signer.NewBox(ring, store.SignerKeys{DB: db})
	if err != nil {
		return nil, nil, err
	}
	factory, err := eth.ParseAddress(c.Contracts.AccountFactory)
	if err != nil {
		return nil, nil, fmt.Errorf("ACCOUNT_FACTORY_ADDRESS: %w", err)
	}
	implementation, err := eth.ParseAddress(c.Contracts.AccountImplementation)
	if err != nil {
		return nil, nil, fmt.Errorf("ACCOUNT_IMPLEMENTATION_ADDRESS: %w", err)
	}
	return wallet.NewCopies(wallet.CopiesOptions{
		Store: accounts.New(db), Files: place, Box: box, Clock: now,
		SmartOf: func(owner eth.Address) eth.Address {
			return contracts.AccountAddress(factory, implementation, owner, 0)
		},
	}), closing, nil
}

// placeOf returns the setting that names the second place.
func placeOf(c config.Config) string {
	if c.WalletCopies.Bucket != "" {
		return "WALLET_COPIES_BUCKET"
	}
	return "WALLET_COPIES_DIR"
}

// newCopies returns the second place of wallets, and keeps it complete.
func newCopies(b *base) (*wallet.Copies, error) {
	copies, closing, err := openCopies(b.config, b.ring, b.db, b.clock)
	if copies == nil || err != nil {
		return nil, err
	}
	b.onClose(closing)
	if err := copies.Check(context.Background()); err != nil {
		if !fault.Is(err, fault.Unavailable) {
			return nil, fmt.Errorf("%s: %w", placeOf(b.config), err)
		}
		b.log.Warn("the second place of wallets does not answer: no wallets are made", "error", err)
	}
	b.lead("wallet copies", everyAtOnce(copiesInterval, copies.Run))
	b.health.Add(health.Check{Name: "wallet copies", Run: func(ctx context.Context) error {
		since, err := accounts.New(b.db).OldestDueCopy(ctx)
		if err == nil && !since.IsZero() && b.clock.Now().Sub(since) > copiesPatience {
			err = fault.New(fault.Unavailable, "there are wallets without a copy, or deletions without a record: the log says why")
		}
		return err
	}})
	return copies, nil
}

// RestoreWallets compares the second place of wallets with the database, and stores there what it lacks unless dry.
func RestoreWallets(ctx context.Context, c config.Config, dry bool, by operator.By) (r wallet.Restored, err error) {
	c.Complete()
	if !c.WalletCopies.Set() {
		return r, errors.New("WALLET_COPIES_DIR or WALLET_COPIES_BUCKET: must be set")
	}
	entry, err := by.Entry(clock.System{}.Now(), "wallet restore", "", "")
	if err != nil {
		return r, err
	}
	ring, err := openKeys(ctx, c)
	if err != nil {
		return r, err
	}
	err = withStore(ctx, c, store.ReadWrite, func(db *store.DB) error {
		if err := operators.New(db).CheckRights(ctx, entry); err != nil {
			return err
		}
		if err := signer.CheckKeys(ctx, ring, store.SignerKeys{DB: db}); err != nil {
			return explainKey(c, err)
		}
		copies, closing, err := openCopies(c, ring, db, clock.System{})
		if err != nil {
			return err
		}
		entry.As = "" // its right was checked: what is done must be logged
		r, err = copies.Restore(ctx, !dry)
		if !dry {
			entry.Detail = fmt.Sprintf("%d of %d copies restored, %d accounts deleted again", len(r.Restored), r.Copies, len(r.Deleted))
			err = errors.Join(err, operators.New(db).LogOperator(context.WithoutCancel(ctx), entry))
		}
		return errors.Join(err, closing())
	})
	return r, err
}

// CopyWallets makes the portal copy all wallets to the second place again, such as a new one, and returns how many were copied before.
func CopyWallets(ctx context.Context, c config.Config, by operator.By) (wallets int64, err error) {
	c.Complete()
	now := clock.System{}.Now()
	entry, err := by.Entry(now, "wallet copy", "", "")
	if err != nil {
		return 0, err
	}
	err = withStore(ctx, c, store.ReadWrite, func(db *store.DB) (err error) {
		wallets, err = operators.New(db).CopyWallets(ctx, entry, now)
		return err
	})
	return wallets, err
}
