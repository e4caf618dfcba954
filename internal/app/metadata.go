package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/art"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/index"
	metadatastore "pantheon/internal/store/metadata"
)

// newMetadata reads what contracts say of their tokens, and returns what describes tokens to browsers.
func newMetadata(b *base, chains chains) (*tokens, error) {
	c := b.config.Metadata
	t := &tokens{gallery: b.gallery, entries: metadatastore.New(b.db, chains.index), pictures: metadata.Folder{Path: c.Pictures}, now: b.clock.Now}
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
		}
		return nil
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

// rarityInterval is how often rarities by statistics follow what has become known.
const rarityInterval = 5 * time.Minute

// measureMetadata registers the metrics of what is not known of tokens.
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

// describeByContract describes a token by what its contract says, or by its number while that is not known.
func describeByContract(c collection, t market.Token, known *metadata.Document) index.Description {
	t.Name = numbered(c, t.TokenID)
	if known == nil {
		return index.Description{Token: t, Asks: c.Standard}
	}
	t.Name = cmp.Or(known.Name, t.Name)
	traits := make([][2]string, len(known.Attributes))
	for i, a := range known.Attributes {
		t.Attributes = append(t.Attributes, market.Attribute{TraitType: a.Trait, Value: a.Value})
		traits[i] = [2]string{a.Trait, a.Value}
	}
	rare := c.Rarity.Of(t.TokenID, traits, known.Rarity)
	t.Rarity = string(rare)
	return index.Description{Token: t, Rank: rare.Rank(), Asks: c.Standard}
}

// rulesOf returns a hash of the rules by which the tokens of a collection are described.
func (g *gallery) rulesOf(c collection) string {
	rules, err := json.Marshal([]any{1, c.Slug, c.Name, g.isByContract(c), c.Rarity, g.catalogue.Hash()})
	if err != nil {
		panic(err) // of plain values
	}
	sum := sha256.Sum256(rules)
	return hex.EncodeToString(sum[:])
}

// numbered is the name of a token that has none.
func numbered(c collection, tokenID string) string {
	if len(tokenID) > 12 {
		tokenID = tokenID[:4] + "…" + tokenID[len(tokenID)-4:]
	}
	return c.Name + " #" + tokenID
}

// tokens describes tokens to browsers and to other marketplaces: those of the catalogue as it describes and draws them, others by what
// their contracts say. It implements api.Art.
type tokens struct {
	*gallery
	entries  metadatastore.Store
	pictures metadata.Folder
	now      func() time.Time
	wake     func()
}

var errNoItem = fault.New(fault.NotFound, "There is no such item.")

// find returns a token of the catalogue, or what is known of one that its contract describes. It returns fault.NotFound for others.
func (t *tokens) find(ctx context.Context, contract, tokenID string) (c collection, item *art.Item, e metadata.Entry, err error) {
	address, err := eth.ParseAddress(contract)
	if err != nil {
		return c, nil, e, errNoItem
	}
	c, ok := t.goods[address]
	if !ok {
		return c, nil, e, errNoItem
	}
	tokenID = decimalID(tokenID)
	drawn, err := t.describe(c, tokenID)
	if err == nil {
		return c, &drawn, e, nil
	}
	if !errors.Is(err, art.ErrUnknownCollection) && !errors.Is(err, art.ErrUnknownToken) {
		return c, nil, e, err
	}
	e, err = t.entries.Entry(ctx, address, tokenID)
	return c, nil, e, err
}

// Lore returns what is told of a token; see api.Art.
func (t *tokens) Lore(ctx context.Context, contract, tokenID string) (api.Lore, error) {
	_, item, e, err := t.find(ctx, contract, tokenID)
	switch {
	case err != nil:
		return api.Lore{}, err
	case item != nil:
		return api.Lore{Description: item.Description, Use: item.Use}, nil
	}
	out := api.Lore{ByContract: true, ReadAt: e.ReadAt}
	if e.Document != nil {
		out.Description = e.Document.Description
	}
	return out, nil
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
		return json.Marshal(t.catalogue.Metadata(t.baseURL, c.address.Checksum(), *item))
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
		return api.Picture{Type: "image/svg+xml", Body: t.catalogue.SVG(*item, art.Options{})}, nil
	}
	if e.Picture != "" {
		body, kind, err := t.pictures.Get(ctx, e.Picture, width)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return api.Picture{Type: kind, Body: body}, err
		}
	}
	return api.Picture{Type: "image/svg+xml", Body: placeholder(c, e.TokenID)}, nil
}

// Refresh has a token's metadata read anew, unless that was done lately; see api.Art.
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

// placeholder draws the number of a token whose picture is not known.
func placeholder(c collection, tokenID string) []byte {
	number := "#" + tokenID
	if len(number) > 12 {
		number = number[:5] + "…" + number[len(number)-4:]
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600">`+
		`<rect width="600" height="600" fill="#1d2430"/><rect x="40" y="40" width="520" height="520" rx="24" fill="none" stroke="#3b4658" `+
		`stroke-width="4"/><g fill="#c9d2df" font-family="system-ui,sans-serif" text-anchor="middle"><text x="300" y="310" font-size="84" `+
		`font-weight="600">%s</text><text x="300" y="390" font-size="34">%s</text></g></svg>`, html.EscapeString(number), html.EscapeString(c.Name))
	return out.Bytes()
}

// tokenURIs asks contracts for the URIs of their tokens. It implements metadata.Chain.
type tokenURIs struct {
	chains map[onchain.ChainID]*chainParts
}

// The functions that name the URI of a token: ERC-721's tokenURI(uint256) and ERC-1155's uri(uint256).
var uriFunctions = map[onchain.Standard][]byte{
	onchain.ERC721: {0xc8, 0x7b, 0x56, 0xdd}, onchain.ERC1155: {0x0e, 0x89, 0x34, 0x1c},
}

func (t tokenURIs) URIs(ctx context.Context, chain onchain.ChainID, entries []metadata.Entry) ([]metadata.URI, error) {
	c := t.chains[chain]
	if c == nil {
		return nil, fmt.Errorf("metadata: there is no chain %d", chain)
	}
	ctx, cancel := context.WithTimeout(ctx, uriTimeout)
	defer cancel()
	calls := make([]gethrpc.BatchElem, len(entries))
	for i, e := range entries {
		id, ok := new(big.Int).SetString(e.TokenID, 10)
		if !ok {
			return nil, fmt.Errorf("metadata: %q is no token id", e.TokenID)
		}
		data := append(bytes.Clone(uriFunctions[e.Standard]), id.FillBytes(make([]byte, 32))...)
		calls[i] = gethrpc.BatchElem{
			Method: "eth_call", Args: []any{map[string]any{"to": e.Contract, "data": eth.Bytes(data)}, "latest"}, Result: new(eth.Bytes),
		}
	}
	if err := askAll(ctx, c.rpc, calls); err != nil {
		return nil, err
	}
	out := make([]metadata.URI, len(entries))
	for i, call := range calls {
		var refused gethrpc.Error
		switch {
		case call.Error == nil:
			out[i].Text, out[i].Err = stringOf(*call.Result.(*eth.Bytes))
		case errors.As(call.Error, &refused) && isRevert(refused):
			out[i].Err = &metadata.Fault{Reason: "the contract names no URI: " + refused.Error(), Final: true}
		default: // such as a function that runs out of gas: this token's alone
			out[i].Err = &metadata.Fault{Reason: "the contract's URI could not be read: " + call.Error.Error()}
		}
	}
	return out, nil
}

const (
	uriTimeout = 2 * time.Minute
	uriBatch   = 20 // answers may have a whole picture
)

// askAll makes calls in batches. A batch that has no answer is made in halves, so that one call that is too much for the endpoint has an
// error of its own. It returns an error if the endpoint does not answer at all.
func askAll(ctx context.Context, endpoint *rpc.Client, calls []gethrpc.BatchElem) error {
	for some := range slices.Chunk(calls, uriBatch) {
		if err := askSome(ctx, endpoint, some); err != nil {
			return err
		}
	}
	return nil
}

func askSome(ctx context.Context, endpoint *rpc.Client, calls []gethrpc.BatchElem) error {
	err := endpoint.BatchCallContext(ctx, calls)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	if _, away := endpoint.Check(ctx); away != nil {
		return err
	}
	if len(calls) == 1 {
		calls[0].Error = err
		return nil
	}
	return errors.Join(askSome(ctx, endpoint, calls[:len(calls)/2]), askSome(ctx, endpoint, calls[len(calls)/2:]))
}

// isRevert reports whether a call failed in the contract, and not at the endpoint: 3 is geth's code, and others say it in words.
func isRevert(err gethrpc.Error) bool {
	return err.ErrorCode() == 3 || strings.Contains(err.Error(), "revert") || strings.Contains(err.Error(), "invalid opcode")
}

// stringOf decodes a string that a contract returns (Solidity ABI: offset, length, bytes), or one of 32 bytes, as old contracts do.
func stringOf(answer []byte) (string, error) {
	none := &metadata.Fault{Reason: "the contract's answer is no text", Final: true}
	switch {
	case len(answer) == 0:
		return "", &metadata.Fault{Reason: "the contract has no function that names the URI", Final: true}
	case len(answer) == 32:
		return string(bytes.TrimRight(answer, "\x00")), nil
	case len(answer) < 64:
		return "", none
	}
	word := func(at uint64) (uint64, bool) {
		if at > uint64(len(answer))-32 || !bytes.Equal(answer[at:at+24], make([]byte, 24)) {
			return 0, false
		}
		return binary.BigEndian.Uint64(answer[at+24 : at+32]), true
	}
	offset, ok := word(0)
	if !ok || offset > uint64(len(answer))-32 {
		return "", none
	}
	length, ok := word(offset)
	if !ok || length > uint64(len(answer))-offset-32 {
		return "", none
	}
	return string(answer[offset+32 : offset+32+length]), nil
}
