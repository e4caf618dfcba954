package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/catalogue"
	"pantheon/internal/config"
	"pantheon/internal/files"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/series"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/index"
	metadatastore "pantheon/internal/store/metadata"
)

// newMetadata reads what contracts say of their tokens, and returns what describes tokens to browsers.
func newMetadata(b *base, chains chains) (*tokens, error) {
	c := b.config.Metadata
	pictures, err := openPictures(b)
	if err != nil {
		return nil, err
	}
	t := &tokens{
		gallery: b.gallery, entries: metadatastore.New(b.db, chains.index), pictures: pictures, now: b.clock.Now,
	}
	fetcher := metadata.NewFetcher(metadata.FetcherOptions{
		Private: c.Private, Gateways: metadata.Gateways{IPFS: c.IPFS, Arweave: c.Arweave},
	})
	b.onClose(func() error { fetcher.Close(); return nil })
	read := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "pantheon", Subsystem: "metadata", Name: "read_total",
		Help: "What was read of tokens, by what it was (uri, document or picture) and result (ok, unchanged or failed).",
	}, []string{"stage", "result"})
	if err := errors.Join(b.registry.Register(read), measureMetadata(b, t.entries)); err != nil {
		return nil, err
	}
	service := metadata.NewService(metadata.Options{
		Store: t.entries, Chain: tokenURIs{chains.of}, Fetcher: fetcher, Pictures: t.pictures,
		Gateways: metadata.Gateways{IPFS: c.IPFS, Arweave: c.Arweave}, Clock: b.clock, Refresh: c.Refresh, Own: []string{b.config.PublicURL},
		Read: func(stage metadata.Stage, result string) { read.WithLabelValues(string(stage), result).Inc() },
	})
	t.wake = service.Wake
	b.lead("metadata", service.Run)
	b.lead("token descriptions", everyAtOnce(time.Hour, func(ctx context.Context) error {
		for _, c := range b.goods {
			if err := t.entries.Describe(ctx, c.chain, c.address, t.rulesOf(c)); err != nil {
				return err
			}
			if !t.isByContract(c) {
				continue
			}
			if err := t.entries.Ask(ctx, c.chain, c.address, c.Standard); err != nil {
				return err
			}
		}
		return nil
	}))
	b.lead("unused pictures", everyAtOnce(time.Hour, func(ctx context.Context) error {
		return t.entries.RemoveUnused(ctx, b.clock.Now().Add(-pictureGrace), pictures.Remove)
	}))
	computed := map[eth.Address]metadatastore.Statistics{}
	b.lead("token rarities", everyAtOnce(rarityInterval, func(ctx context.Context) error {
		for _, c := range b.goods {
			if !c.Rarity.Statistics {
				continue
			}
			now, err := t.entries.SetRarities(ctx, c.chain, c.address, computed[c.address])
			if err != nil {
				return err
			}
			computed[c.address] = now
		}
		return nil
	}))
	return t, nil
}

// openPictures returns the store of token pictures: a bucket if one is configured, else a folder.
func openPictures(b *base) (*metadata.PictureStore, error) {
	if b.config.Metadata.Bucket == "" {
		return metadata.NewPictureStore(files.Folder{Path: b.config.Metadata.Pictures}), nil
	}
	bucket, err := files.NewBucket(bucketOf(b.config, b.config.Metadata.Bucket))
	if err != nil {
		return nil, fmt.Errorf("PICTURES_BUCKET: %w", err)
	}
	b.onClose(bucket.Close)
	return metadata.NewPictureStore(bucket), nil
}

// bucketOf returns the options of a bucket of the object store.
func bucketOf(c config.Config, bucket string) files.BucketOptions {
	return files.BucketOptions{
		Endpoint: c.S3.Endpoint, Region: c.S3.Region, AccessKey: c.S3.AccessKey, SecretKey: c.S3.SecretKey.Reveal(), Bucket: bucket,
	}
}

// pictureGrace is how long a picture stays after its last token got another one: pages that are open still show it.
const pictureGrace = 24 * time.Hour

// rarityInterval is how often rarities by statistics follow what has become known.
const rarityInterval = 5 * time.Minute

// measureMetadata registers the metrics of missing and failing metadata.
func measureMetadata(b *base, entries metadatastore.Store) error {
	gauge := func(name, help string, value func(unknown, failing int64) int64) error {
		return b.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "pantheon", Subsystem: "metadata", Name: name, Help: help + ": NaN when the database does not tell.",
		}, func() float64 {
			ctx, cancel := context.WithTimeout(context.Background(), measureTime)
			defer cancel()
			unknown, failing, err := entries.Count(ctx)
			if err != nil {
				return math.NaN()
			}
			return float64(value(unknown, failing))
		}))
	}
	return errors.Join(
		gauge("unknown", "Tokens of which nothing is known yet", func(unknown, _ int64) int64 { return unknown }),
		gauge("failing", "Tokens that could not be read lately", func(_, failing int64) int64 { return failing }),
	)
}

// describeByContract describes a token by what its contract says, or by its number while that is not known. Tokens of a series have the
// rarity that the drop tables promise.
func (g *gallery) describeByContract(c collection, t market.Token, known *metadata.Document) index.Description {
	t.Name = numbered(c, t.TokenID)
	_, promised, drawn := g.catalogue.Variant(c.Slug, series.Of(t.TokenID))
	if known == nil {
		t.Rarity = string(promised)
		return index.Description{Token: t, Rank: max(promised.Rank(), 0), Asks: c.Standard}
	}
	t.Name = cmp.Or(known.Name, t.Name)
	traits := make([][2]string, len(known.Attributes))
	for i, a := range known.Attributes {
		t.Attributes = append(t.Attributes, market.Attribute{TraitType: a.Trait, Value: a.Value})
		traits[i] = [2]string{a.Trait, a.Value}
	}
	rare := promised
	if !drawn {
		rare = c.Rarity.Of(t.TokenID, traits, known.Rarity)
	}
	t.Rarity = string(rare)
	return index.Description{Token: t, Rank: rare.Rank(), Asks: c.Standard}
}

// rulesOf returns a hash of the rules by which the tokens of a collection are described.
func (g *gallery) rulesOf(c collection) string {
	rules, err := json.Marshal([]any{1, c.Slug, c.Name, g.isByContract(c), c.Rarity, g.catalogue.Hash(c.Slug)})
	if err != nil {
		panic(err) // of plain values
	}
	sum := sha256.Sum256(rules)
	return hex.EncodeToString(sum[:])
}

// numbered is the name of a token that has none.
func numbered(c collection, tokenID string) string { return c.Name + " #" + market.ShortID(tokenID) }

// tokens describes tokens to browsers and to other marketplaces: those of the catalogue as it describes and draws them, others by what
// their contracts say. It implements api.Art.
type tokens struct {
	*gallery
	entries  metadatastore.Store
	pictures *metadata.PictureStore
	now      func() time.Time
	wake     func()
}

var errNoItem = fault.New(fault.NotFound, "There is no such item.")

// find returns a token of the catalogue, or what is known of one that its contract describes. It returns fault.NotFound for others.
func (t *tokens) find(ctx context.Context, contract, tokenID string) (c collection, item *catalogue.Item, e metadata.Entry, err error) {
	address, err := eth.ParseAddress(contract)
	if err != nil {
		return c, nil, e, errNoItem
	}
	c, ok := t.goods[address]
	if !ok {
		return c, nil, e, errNoItem
	}
	if tokenID = decimalID(tokenID); tokenID == metadata.OfContract {
		return c, nil, e, errNoItem
	}
	drawn, err := t.describe(c, tokenID)
	if err == nil {
		return c, &drawn, e, nil
	}
	if !errors.Is(err, catalogue.ErrUnknown) {
		return c, nil, e, err
	}
	e, err = t.entries.Entry(ctx, address, tokenID)
	return c, nil, e, err
}

// ItemText returns the text about a token; see api.Art.
func (t *tokens) ItemText(ctx context.Context, contract, tokenID string) (api.ItemText, error) {
	c, item, e, err := t.find(ctx, contract, tokenID)
	switch {
	case err != nil:
		return api.ItemText{}, err
	case item != nil:
		return api.ItemText{Description: item.Description, Use: item.Use}, nil
	}
	out := api.ItemText{ByContract: true, ReadAt: e.ReadAt, Use: t.catalogue.Use(c.Slug, "")}
	if e.Document != nil {
		// Our own documents end in it.
		out.Description = strings.TrimSpace(strings.TrimSuffix(e.Document.Description, out.Use))
	}
	return out, nil
}

// CollectionTexts returns what contracts say of themselves; see api.Art.
func (t *tokens) CollectionTexts(ctx context.Context) (map[eth.Address]string, error) {
	known, err := t.entries.Contracts(ctx)
	texts := make(map[eth.Address]string, len(known))
	for _, e := range known {
		if c := t.goods[e.Contract]; t.isByContract(c) {
			texts[e.Contract] = e.Document.Description
		}
	}
	return texts, err
}

// tokenDocument is the metadata of a token that its contract describes, in the form of ERC-721 and ERC-1155.
type tokenDocument struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Image       string           `json:"image"`
	Attributes  []tokenAttribute `json:"attributes"`
}

type tokenAttribute struct {
	Trait string `json:"trait_type"`
	Value string `json:"value"`
}

// Metadata returns a token's metadata as JSON; see api.Art.
func (t *tokens) Metadata(ctx context.Context, contract, tokenID string) ([]byte, error) {
	c, item, e, err := t.find(ctx, contract, tokenID)
	if err != nil {
		return nil, err
	}
	if item != nil {
		document := t.catalogue.Metadata(t.baseURL, c.address.Checksum(), *item)
		document.ExternalURL = itemURL(t.baseURL, c.address, item.TokenID)
		return json.Marshal(document)
	}
	d := tokenDocument{Name: numbered(c, e.TokenID), Image: t.baseURL + market.ImagePath(c.address, e.TokenID), Attributes: []tokenAttribute{}}
	if known := e.Document; known != nil {
		d.Name, d.Description = cmp.Or(known.Name, d.Name), known.Description
		for _, a := range known.Attributes {
			d.Attributes = append(d.Attributes, tokenAttribute(a))
		}
	}
	return json.Marshal(d)
}

// Image returns a token's picture, at least width pixels wide if there is such a one; see api.Art.
func (t *tokens) Image(ctx context.Context, contract, tokenID string, width int) (api.Picture, error) {
	c, item, e, err := t.find(ctx, contract, tokenID)
	if err != nil {
		return api.Picture{}, err
	}
	if item != nil {
		return api.Picture{Type: "image/svg+xml", Body: t.catalogue.Picture(*item)}, nil
	}
	placeholder := api.Picture{Type: "image/svg+xml", Body: metadata.Placeholder(c.Name, "#"+market.ShortID(e.TokenID))}
	if e.Picture == "" {
		if e, err = t.entries.Entry(ctx, c.address, metadata.OfContract); err != nil && !fault.Is(err, fault.NotFound) {
			return api.Picture{}, err
		}
	}
	if e.Picture == "" {
		return placeholder, nil
	}
	body, kind, err := t.pictures.Get(ctx, e.Picture, width)
	switch {
	case fault.Is(err, fault.Unavailable):
		placeholder.Temporary = true
		return placeholder, nil
	case errors.Is(err, fs.ErrNotExist):
		return placeholder, nil
	}
	return api.Picture{Type: kind, Body: body}, err
}

// Refresh queues a token's metadata to be fetched again, unless it was fetched recently; see api.Art.
func (t *tokens) Refresh(ctx context.Context, contract, tokenID string) error {
	_, item, e, err := t.find(ctx, contract, tokenID)
	if err != nil || item != nil {
		return err
	}
	if _, err := t.entries.Refresh(ctx, e.Contract, e.TokenID, t.now().Add(-refreshPause)); err != nil {
		return err
	}
	t.wake()
	return nil
}

// refreshPause is how old metadata must be before players can have it read again.
const refreshPause = 5 * time.Minute
