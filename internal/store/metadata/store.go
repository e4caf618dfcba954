// Package metadata keeps what contracts say of their tokens.
package metadata

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
)

// Store is the store of tokens' metadata; see metadata.Store.
type Store struct {
	*store.DB
	index *index.Index
	// Descriptions are written one at a time: each waits for the indexer, and must not wait with a connection of the pool.
	describing *semaphore.Weighted
}

// New returns the store of a database. Saving a description updates the index too.
func New(db *store.DB, x *index.Index) Store { return Store{db, x, semaphore.NewWeighted(1)} }

// describe runs a transaction that describes tokens, alone, under the lock that the indexer takes before it touches tokens and their
// metadata.
func (db Store) describe(ctx context.Context, chain onchain.ChainID, fn func(context.Context, *store.Tx) error) error {
	if err := db.describing.Acquire(ctx, 1); err != nil {
		return err
	}
	defer db.describing.Release(1)
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockSettling(ctx, int64(chain)); err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

// Entry returns what is known of a token. It returns fault.NotFound for a token whose contract is not asked.
func (db Store) Entry(ctx context.Context, contract eth.Address, tokenID string) (e metadata.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.TokenMetadata(ctx, gen.TokenMetadataParams{Contract: contract, TokenID: tokenID})
		if err != nil {
			return store.NotFound(err, "There is no metadata of this token.")
		}
		e, err = entryOf(row)
		return err
	})
	return e, err
}

// Ask queues what a contract says of itself to be fetched, unless that has been done before.
func (db Store) Ask(ctx context.Context, chain onchain.ChainID, contract eth.Address, standard onchain.Standard) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.InsertTokenMetadata(ctx, gen.InsertTokenMetadataParams{
			Contract: contract, TokenID: metadata.OfContract, ChainID: chain, Standard: standard, Host: metadata.HostOf(chain),
			DueAt: column.At(tx.Clock().Now()),
		})
		return err
	})
}

// Contracts returns what contracts say of themselves; a contract of which that is not known is missing.
func (db Store) Contracts(ctx context.Context) (out []metadata.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ContractMetadata(ctx)
		if err != nil {
			return err
		}
		out = make([]metadata.Entry, len(rows))
		for i, row := range rows {
			if out[i], err = entryOf(row); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Hosts returns the hosts that something is due from; see metadata.Store.
func (db Store) Hosts(ctx context.Context, now time.Time) (hosts []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		hosts, err = q.DueMetadataHosts(ctx, column.At(now))
		return err
	})
	return hosts, err
}

// Due returns what is due from a host; see metadata.Store.
func (db Store) Due(ctx context.Context, host string, now time.Time, limit int) (out []metadata.Entry, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DueMetadata(ctx, gen.DueMetadataParams{Host: host, DueAt: column.At(now), Limit: int32(limit)})
		if err != nil {
			return err
		}
		out = make([]metadata.Entry, len(rows))
		for i, row := range rows {
			if out[i], err = entryOf(row); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Save stores what an entry has become; see metadata.Store.
func (db Store) Save(ctx context.Context, was, now metadata.Entry, described bool) error {
	var document []byte
	if now.Document != nil {
		var err error
		if document, err = json.Marshal(now.Document); err != nil {
			return err
		}
	}
	save := func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.UpdateTokenMetadata(ctx, gen.UpdateTokenMetadataParams{
			Contract: was.Contract, TokenID: was.TokenID, WasStage: string(was.Stage), WasDueAt: column.At(was.DueAt),
			Stage: string(now.Stage), Host: now.Host, Uri: now.URI, Document: string(document), Etag: now.ETag,
			Picture: now.Picture, PictureUri: now.PictureURI, ReadAt: column.At(now.ReadAt), DueAt: column.Millis(now.DueAt),
			Failures: int64(now.Failures), Reason: now.Reason,
		})
		if n == 0 || err != nil {
			return err
		}
		if was.Picture != "" && was.Picture != now.Picture {
			if err := tx.PutUnusedPicture(ctx, gen.PutUnusedPictureParams{Picture: was.Picture, UnusedAt: column.At(tx.Clock().Now())}); err != nil {
				return err
			}
		}
		if !described {
			return nil
		}
		return db.index.Redescribe(ctx, tx, was.Chain, was.Contract, was.TokenID)
	}
	if described {
		return db.describe(ctx, was.Chain, save)
	}
	return db.Write(ctx, save)
}

// RemoveUnused removes the pictures that no token has had since a time.
func (db Store) RemoveUnused(ctx context.Context, since time.Time, remove func(ctx context.Context, picture string) error) error {
	for {
		var rows []gen.UnusedPicturesRow
		err := db.Read(ctx, func(q *gen.Queries) (err error) {
			rows, err = q.UnusedPictures(ctx, gen.UnusedPicturesParams{Since: column.At(since), Batch: removedAtOnce})
			return err
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if row.Used == 0 {
				if err := remove(ctx, row.Picture); err != nil {
					return err
				}
			}
			if err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteUnusedPicture(ctx, row.Picture) }); err != nil {
				return err
			}
		}
	}
}

// removedAtOnce is how many unused pictures are read at once.
const removedAtOnce = 100

// Pause leaves a host alone until a time; see metadata.Store.
func (db Store) Pause(ctx context.Context, host string, failures int, until time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutMetadataHost(ctx, gen.PutMetadataHostParams{Host: host, Failures: int64(failures), DueAt: column.At(until)})
	})
}

// Resume ends a pause; see metadata.Store.
func (db Store) Resume(ctx context.Context, host string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteMetadataHost(ctx, host) })
}

// Failures returns how often a host has failed in a row; see metadata.Store.
func (db Store) Failures(ctx context.Context, host string) (n int, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.MetadataHost(ctx, host)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		n = int(row.Failures)
		return err
	})
	return n, err
}

// Refresh queues a token to be fetched again unless it was requested or fetched since a time. It reports whether it did.
func (db Store) Refresh(ctx context.Context, contract eth.Address, tokenID string, since time.Time) (is bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := index.RefreshMetadata(ctx, tx, contract, tokenID, tokenID, since, since)
		is = n > 0
		return err
	})
	return is, err
}

// Count returns of how many tokens nothing is known yet, and how many could not be read lately.
func (db Store) Count(ctx context.Context) (unknown, failing int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.CountMetadata(ctx)
		unknown, failing = row.Unknown, row.Failing
		return err
	})
	return unknown, failing, err
}

// Statistics says what the rarities of a contract's tokens by statistics were computed of.
type Statistics struct {
	tokens int64
	readAt int64
}

// SetRarities computes how rare the tokens of a contract are by statistics over those that are known, and updates those of which
// it has changed. It does nothing if was says that nothing is new.
func (db Store) SetRarities(ctx context.Context, chain onchain.ChainID, contract eth.Address, was Statistics) (now Statistics, err error) {
	var rows []gen.DocumentsOfRow
	err = db.Read(ctx, func(q *gen.Queries) error {
		state, err := q.MetadataState(ctx, contract)
		if now = (Statistics{state.Tokens, state.ReadAt}); err != nil || now == was {
			return err
		}
		rows, err = q.DocumentsOf(ctx, contract)
		return err
	})
	if err != nil || now == was {
		return now, err
	}
	attributes := make([][]metadata.Attribute, len(rows))
	for i, row := range rows {
		var d metadata.Document
		if err := json.Unmarshal([]byte(row.Document), &d); err != nil {
			return was, err
		}
		attributes[i] = d.Attributes
	}
	changed := map[string]string{} // rarities by token
	for i, is := range metadata.Rarities(attributes) {
		if rows[i].Rarity != string(is) {
			changed[rows[i].TokenID] = string(is)
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(changed)), described) {
		if err := db.describe(ctx, chain, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range ids {
				if err := tx.SetTokenRarity(ctx, gen.SetTokenRarityParams{Rarity: changed[id], Contract: contract, TokenID: id}); err != nil {
					return err
				}
				if err := db.index.Redescribe(ctx, tx, chain, contract, id); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return was, err
		}
	}
	return now, nil
}

// described is how many tokens are updated in one transaction.
const described = 100

// Describe updates all tokens of a contract if the rules by which they were last described have changed. rules is a hash of them.
func (db Store) Describe(ctx context.Context, chain onchain.ChainID, contract eth.Address, rules string) error {
	var known string
	err := db.Read(ctx, func(q *gen.Queries) (err error) {
		known, err = q.TokenRules(ctx, contract)
		return err
	})
	if err != nil && !errors.Is(err, sql.ErrNoRows) || known == rules {
		return err
	}
	for after, more := "", true; more; {
		var ids []string
		err := db.Read(ctx, func(q *gen.Queries) (err error) {
			ids, err = q.TokensAfter(ctx, gen.TokensAfterParams{Contract: contract, TokenID: after, Limit: described})
			return err
		})
		if err != nil {
			return err
		}
		if more = len(ids) > 0; !more {
			break
		}
		after = ids[len(ids)-1]
		if err := db.describe(ctx, chain, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range ids {
				if err := db.index.Redescribe(ctx, tx, chain, contract, id); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutTokenRules(ctx, gen.PutTokenRulesParams{Contract: contract, Rules: rules})
	})
}

func entryOf(row gen.TokenMetadatum) (metadata.Entry, error) {
	e := metadata.Entry{
		Contract: row.Contract, TokenID: row.TokenID, Chain: row.ChainID, Standard: row.Standard, Stage: metadata.Stage(row.Stage),
		Host: row.Host, URI: row.Uri, ETag: row.Etag, Picture: row.Picture, PictureURI: row.PictureUri, ReadAt: row.ReadAt.Time,
		DueAt: row.DueAt.Time, Failures: int(row.Failures), Reason: row.Reason,
	}
	if row.Document == "" {
		return e, nil
	}
	e.Document = &metadata.Document{}
	return e, json.Unmarshal([]byte(row.Document), e.Document)
}
