package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// Account is what a copy has of a player's account, so that whoever registered after the last backup can sign in again.
type Account struct {
	DisplayName      string    `json:"displayName"`
	Email            string    `json:"email,omitzero"`
	EmailConfirmedAt time.Time `json:"emailConfirmedAt,omitzero"`
	EmailKey         string    `json:"emailKey,omitzero"` // of the built-in platform's account; "" for one that an external platform keeps
	RegisteredAt     time.Time `json:"registeredAt"`
	Links            []Link    `json:"links,omitempty"` // accounts elsewhere by which the player signs in
}

// Link is an account at another site, such as provider x.
type Link struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
}

// Copied is a wallet with its account.
type Copied struct {
	Wallet
	CreatedAt time.Time
	DueAt     time.Time // since when it has to be copied; zero once it is
	Account   Account
}

// Uncopied is a place in the order of wallets that are not copied; the zero value is its beginning.
type Uncopied struct {
	DueAt    time.Time
	PlayerID string
}

// Deleted is an account that was deleted.
type Deleted struct {
	PlayerID string    `json:"player"`
	At       time.Time `json:"deletedAt"`
}

// ErrNotCopied means that a new wallet could not be copied to the second place, and must not be used before.
var ErrNotCopied = fault.New(fault.Unavailable, "Your wallet cannot be kept safe just now. Please try again in a moment.")

// Files is the second place. Its errors are temporary.
type Files interface {
	List(ctx context.Context, prefix string) ([]string, error)
	Read(ctx context.Context, name string) ([]byte, error)
	Write(ctx context.Context, name string, content []byte) error
	// Remove deletes a file; one that does not exist is no error.
	Remove(ctx context.Context, name string) error
}

// Box seals what is written to the second place with the key that seals wallets.
type Box interface {
	SealText(ctx context.Context, playerID, text string) (sealed, by string, err error)
	OpenText(ctx context.Context, playerID, sealed, by string) (string, error)
	// OwnerOf opens an owner key and returns its address.
	OwnerOf(ctx context.Context, s Sealed) (eth.Address, error)
}

// CopyStore stores which wallets and deletions are in the second place.
type CopyStore interface {
	// WalletToCopy returns a player's wallet, and whether it is copied as it is. It returns fault.NotFound if there is none.
	WalletToCopy(ctx context.Context, playerID string) (w Copied, done bool, err error)
	// UncopiedWallets returns wallets that are not copied as they are, in the order in which they were due, after one of them.
	UncopiedWallets(ctx context.Context, after Uncopied, limit int) ([]Copied, error)
	// MarkCopied records that a wallet is copied. If it has changed meanwhile, it must be copied again, and marked is false.
	MarkCopied(ctx context.Context, w Copied) (marked bool, err error)
	// CopiedPlayer returns a player whose wallet is copied; "" for none.
	CopiedPlayer(ctx context.Context) (playerID string, err error)
	// UnrecordedDeletions returns the oldest deletions that are not recorded.
	UnrecordedDeletions(ctx context.Context, limit int) ([]Deleted, error)
	MarkRecorded(ctx context.Context, playerID string, at time.Time) error
	// RestoreWallet stores a wallet that the database lacks, and its account unless there is one. It returns whether it did, and
	// fault.Conflict if the player has another wallet, or somebody else the wallet or the email.
	RestoreWallet(ctx context.Context, w Copied, at time.Time) (restored bool, err error)
	// DeleteAgain deletes an account that was deleted before the database was restored.
	DeleteAgain(ctx context.Context, playerID string, at time.Time) error
	// HasPlayer reports whether there is an account.
	HasPlayer(ctx context.Context, playerID string) (bool, error)
}

// CopiesOptions are the dependencies of Copies.
type CopiesOptions struct {
	Store CopyStore
	Files Files
	Box   Box
	// SmartOf returns the smart account that an owner controls.
	SmartOf func(owner eth.Address) eth.Address
	Clock   clock.Clock
}

// Copies keeps a copy of every wallet, and a record of every deletion, apart from the database: a backup that is restored brings back what
// is older than it, and these what is newer.
type Copies struct{ o CopiesOptions }

// NewCopies returns Copies.
func NewCopies(o CopiesOptions) *Copies { return &Copies{o} }

// copyFile is a copy in its file. The owner key is sealed, and so is the account.
type copyFile struct {
	Version   int         `json:"version"`
	Player    string      `json:"player"`
	Owner     eth.Address `json:"owner"`
	Smart     eth.Address `json:"smart"`
	Key       string      `json:"key"`
	By        string      `json:"by"`
	CreatedAt time.Time   `json:"createdAt"`
	Account   string      `json:"account"`
	AccountBy string      `json:"accountBy"`
}

const (
	copyVersion = 1
	walletsIn   = "wallets/"
	deletedIn   = "deleted/"
)

// nameOf returns the name of a player's file.
func nameOf(folder, playerID string) string { return folder + playerID + ".json" }

// Keep copies a player's wallet unless it is copied. It returns ErrNotCopied if that fails.
func (c *Copies) Keep(ctx context.Context, playerID string) error {
	w, done, err := c.o.Store.WalletToCopy(ctx, playerID)
	if err != nil || done {
		return err
	}
	if err := c.copy(ctx, w); err != nil {
		return ErrNotCopied.Because(err)
	}
	return nil
}

// errOther means that the second place has another wallet of the player, which must not be overwritten: the database lacks it.
var errOther = errors.New("the second place has another wallet of the player: run pantheon wallet restore")

// free returns errOther if there is a copy of a wallet with another owner.
func (c *Copies) free(ctx context.Context, playerID string, owner eth.Address) error {
	text, err := c.o.Files.Read(ctx, nameOf(walletsIn, playerID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var f copyFile
	if err := json.Unmarshal(text, &f); err != nil || f.Owner != owner {
		return errOther
	}
	return nil
}

// MayCreate returns ErrNotCopied if the second place has a wallet of a player without one, or does not answer.
func (c *Copies) MayCreate(ctx context.Context, playerID string) error {
	if err := c.free(ctx, playerID, eth.Address{}); err != nil {
		return ErrNotCopied.Because(err)
	}
	return nil
}

func (c *Copies) copy(ctx context.Context, w Copied) error {
	if err := c.free(ctx, w.PlayerID, w.Owner); err != nil {
		return err
	}
	text, err := json.Marshal(w.Account)
	if err != nil {
		return err
	}
	account, by, err := c.o.Box.SealText(ctx, w.PlayerID, string(text))
	if err != nil {
		return err
	}
	file, err := json.Marshal(copyFile{
		copyVersion, w.PlayerID, w.Owner, w.Smart, w.Sealed, w.SealedBy, w.CreatedAt.UTC(), account, by,
	})
	if err != nil {
		return err
	}
	if err := c.o.Files.Write(ctx, nameOf(walletsIn, w.PlayerID), append(file, '\n')); err != nil {
		return err
	}
	marked, err := c.o.Store.MarkCopied(ctx, w)
	if marked || err != nil {
		return err
	}
	if _, _, err := c.o.Store.WalletToCopy(ctx, w.PlayerID); fault.Is(err, fault.NotFound) { // deleted meanwhile
		return c.o.Files.Remove(ctx, nameOf(walletsIn, w.PlayerID))
	}
	return nil
}

// copyBatch is how many wallets and deletions are read at a time.
const copyBatch = 200

// Run copies what is not copied: wallets of before there was a second place, those that were sealed with another key or whose account has
// changed, and deletions. What is wrong with one wallet does not stop the others.
func (c *Copies) Run(ctx context.Context) error { return errors.Join(c.copyAll(ctx), c.recordAll(ctx)) }

func (c *Copies) copyAll(ctx context.Context) error {
	var after Uncopied
	var errs []error
	for {
		wallets, err := c.o.Store.UncopiedWallets(ctx, after, copyBatch)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, w := range wallets {
			after = Uncopied{w.DueAt, w.PlayerID}
			err := c.copy(ctx, w)
			if err != nil && len(errs) < mostErrors {
				errs = append(errs, fmt.Errorf("copying the wallet of %s: %w", w.PlayerID, err))
			}
			if ctx.Err() != nil || fault.Is(err, fault.Unavailable) { // so will be the others
				return errors.Join(errs...)
			}
		}
		if len(wallets) < copyBatch {
			return errors.Join(errs...)
		}
	}
}

// mostErrors is how many wallets that cannot be copied are named at a time.
const mostErrors = 10

func (c *Copies) recordAll(ctx context.Context) error {
	for {
		deletions, err := c.o.Store.UnrecordedDeletions(ctx, copyBatch)
		if err != nil {
			return err
		}
		for _, d := range deletions {
			if err := c.record(ctx, d); err != nil {
				return fmt.Errorf("recording the deletion of %s: %w", d.PlayerID, err)
			}
		}
		if len(deletions) < copyBatch {
			return nil
		}
	}
}

// Check fails if the second place lacks a wallet that was copied there: a folder that is not mounted is empty.
func (c *Copies) Check(ctx context.Context) error {
	player, err := c.o.Store.CopiedPlayer(ctx)
	if err != nil || player == "" {
		return err
	}
	_, err = c.o.Files.Read(ctx, nameOf(walletsIn, player))
	if errors.Is(err, fs.ErrNotExist) { // a restored database may have a player who was deleted
		_, err = c.o.Files.Read(ctx, nameOf(deletedIn, player))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it lacks the copy of the wallet of %s. Is the folder mounted? For a new place run `pantheon wallet copy`", player)
	}
	return err
}

func (c *Copies) record(ctx context.Context, d Deleted) error {
	file, err := json.Marshal(Deleted{d.PlayerID, d.At.UTC()})
	if err != nil {
		return err
	}
	err = c.o.Files.Write(ctx, nameOf(deletedIn, d.PlayerID), append(file, '\n'))
	if err == nil {
		err = c.o.Files.Remove(ctx, nameOf(walletsIn, d.PlayerID))
	}
	if err == nil {
		err = c.o.Store.MarkRecorded(ctx, d.PlayerID, c.o.Clock.Now())
	}
	return err
}

// Restored is what came of a comparison of the second place with the database.
type Restored struct {
	Copies   int      `json:"copies"`   // wallets in the second place
	Restored []string `json:"restored"` // players whose wallets the database lacked
	Deleted  []string `json:"deleted"`  // players whose accounts were deleted, and were in the database again
	Problems []string `json:"problems"` // copies that cannot be used, one line each
}

// Restore opens every copy and compares it with the database. With store it stores the wallets that the database lacks, and deletes the
// accounts that were deleted. What is wrong with one copy does not stop the others.
func (c *Copies) Restore(ctx context.Context, store bool) (r Restored, err error) {
	deleted, err := c.deleted(ctx, &r)
	if err != nil {
		return r, err
	}
	if store {
		r.Deleted = slices.DeleteFunc(r.Deleted, func(player string) bool {
			err := c.o.Store.DeleteAgain(ctx, player, deleted[player])
			if err != nil {
				r.Problems = append(r.Problems, fmt.Sprintf("the deletion of %s: %v", player, err))
			}
			return err != nil
		})
	}
	names, err := c.o.Files.List(ctx, walletsIn)
	if err != nil {
		return r, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { _, ok := deleted[playerOf(walletsIn, name)]; return ok })
	if len(names) == 0 && len(deleted) == 0 {
		return r, errors.New("there is no copy in the second place: is the folder mounted?")
	}
	for batch := range slices.Chunk(names, copiesAtOnce) {
		results := make([]result, len(batch))
		var reads sync.WaitGroup
		for i, name := range batch {
			reads.Go(func() { results[i].isNew, results[i].err = c.retried(ctx, name, store) })
		}
		reads.Wait()
		for i, name := range batch {
			r.Copies++
			switch err := results[i].err; {
			case err != nil && (ctx.Err() != nil || fault.Is(err, fault.Unavailable)):
				return r, err
			case err != nil:
				r.Problems = append(r.Problems, name+": "+err.Error())
			case results[i].isNew:
				r.Restored = append(r.Restored, playerOf(walletsIn, name))
			}
		}
	}
	return r, ctx.Err()
}

// result is what came of a copy.
type result struct {
	isNew bool
	err   error
}

const (
	copiesAtOnce = 16 // copies that are read at the same time
	copyAttempts = 4  // attempts to read one
	copyPause    = time.Second
)

// retried is restore, and again while the second place does not answer.
func (c *Copies) retried(ctx context.Context, name string, store bool) (isNew bool, err error) {
	for n := 1; ; n++ {
		isNew, err = c.restore(ctx, name, store)
		if err == nil || n == copyAttempts || !fault.Is(err, fault.Unavailable) {
			return isNew, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(copyPause):
		}
	}
}

// deleted returns when the players were deleted whose deletion is recorded, and reports those that have an account.
func (c *Copies) deleted(ctx context.Context, r *Restored) (map[string]time.Time, error) {
	names, err := c.o.Files.List(ctx, deletedIn)
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(names))
	for _, name := range names {
		player := playerOf(deletedIn, name)
		out[player] = c.o.Clock.Now()
		has, err := c.o.Store.HasPlayer(ctx, player)
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		r.Deleted = append(r.Deleted, player)
		var d Deleted
		if text, err := c.o.Files.Read(ctx, name); err == nil && json.Unmarshal(text, &d) == nil && !d.At.IsZero() {
			out[player] = d.At
		}
	}
	return out, nil
}

func playerOf(folder, name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, folder), ".json")
}

func (c *Copies) restore(ctx context.Context, name string, store bool) (isNew bool, err error) {
	w, err := c.read(ctx, name)
	if err != nil {
		return false, err
	}
	switch known, _, err := c.o.Store.WalletToCopy(ctx, w.PlayerID); {
	case err == nil && known.Owner == w.Owner:
		return false, nil
	case err == nil:
		return false, fmt.Errorf("the player's wallet is %s, and that of the copy %s", known.Smart.Checksum(), w.Smart.Checksum())
	case !fault.Is(err, fault.NotFound):
		return false, err
	case !store:
		return true, nil
	}
	return c.o.Store.RestoreWallet(ctx, w, c.o.Clock.Now())
}

// read reads a copy, and checks that it opens and is its player's.
func (c *Copies) read(ctx context.Context, name string) (w Copied, err error) {
	text, err := c.o.Files.Read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return w, errors.New("it was removed meanwhile")
	}
	if err != nil {
		return w, err
	}
	var f copyFile
	if err := json.Unmarshal(text, &f); err != nil {
		return w, errors.New("it is damaged: it is no JSON")
	}
	if f.Version != copyVersion {
		return w, fmt.Errorf("it has version %d, and this program reads version %d", f.Version, copyVersion)
	}
	if f.Player != playerOf(walletsIn, name) {
		return w, fmt.Errorf("it is the copy of another player, %s", f.Player)
	}
	owner, err := c.o.Box.OwnerOf(ctx, Sealed{Player: f.Player, Key: f.Key, By: f.By})
	if err != nil {
		return w, err
	}
	if owner != f.Owner {
		return w, fmt.Errorf("its key is that of %s, and not of %s", owner.Checksum(), f.Owner.Checksum())
	}
	if smart := c.o.SmartOf(owner); smart != f.Smart {
		return w, fmt.Errorf("its owner controls %s, and not %s", smart.Checksum(), f.Smart.Checksum())
	}
	account, err := c.o.Box.OpenText(ctx, f.Player, f.Account, f.AccountBy)
	if err != nil {
		return w, err
	}
	w = Copied{
		Wallet:    Wallet{PlayerID: f.Player, Key: Key{Owner: f.Owner, Smart: f.Smart, Sealed: f.Key, SealedBy: f.By}},
		CreatedAt: f.CreatedAt,
	}
	if err := json.Unmarshal([]byte(account), &w.Account); err != nil {
		return w, errors.New("it is damaged: its account is no JSON")
	}
	return w, nil
}
