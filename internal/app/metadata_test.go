package app

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	metadatastore "pantheon/internal/store/metadata"
	"pantheon/internal/testkit"
)

// hostOfTokens serves the documents and pictures of tokens, as a studio's host does.
func hostOfTokens(t *testing.T) *httptest.Server {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".png") {
			_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 700, 700)))
			return
		}
		id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		fmt.Fprintf(w, `{"name":"Lantern Keeper %s","description":"<b>Keeps</b> the light.","image":"%s/%s.png",
			"attributes":[{"trait_type":"Rarity","value":"Mythic"},{"trait_type":"Lamp","value":"Oil"}]}`, id, s.URL, id)
	}))
	t.Cleanup(s.Close)
	return s
}

// A collection of the studio's own, on a chain: the portal asks its contract, and serves what its host says.
// Spec: MARKET-23
func TestMetadata_ATokenOfTheStudiosOwnHasItsNameAndPicture(t *testing.T) {
	t.Parallel()
	host := hostOfTokens(t)
	chain := devnettest.Run(t, devnet.Options{MaxLead: 24 * time.Hour})
	registry := brandtest.Pantheon().Collections
	at, err := world.Deploy(t.Context(), chain.Client(), registry, collections.GameChain, world.Options{BaseURI: host.URL + "/"})
	if err != nil {
		t.Fatal(err)
	}
	lots := []world.Lot{
		{Collection: "avatars", TokenID: money.FromInt(1), Seller: devnet.Manager, Amount: 1, Quantity: 1, Price: money.FromInt(5_000_000)},
		{Collection: "game-items", TokenID: money.FromInt(1), Seller: devnet.Manager, Amount: 9, Quantity: 5, Price: money.FromInt(1_000_000)},
	}
	if err := world.Seed(t.Context(), chain.Client(), at, nil, lots, clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	objects := s3mem.New()
	if err := objects.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(objects).Server())
	t.Cleanup(bucket.Close)
	env := map[string]string{
		"PICTURES_BUCKET": "pictures/portal", "S3_ENDPOINT": bucket.URL, "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret",
		"METADATA_FROM_CHAIN": "avatars", "METADATA_PRIVATE_HOSTS": host.URL, "GAME_CHAIN_ID": "1337042",
		"ENTRY_POINT_ADDRESS": at.EntryPoint.String(), "PIGGY_MARKETPLACE_ADDRESS": at.Marketplace.String(),
		"USDC_CURRENCY_CONTRACT_ADDRESS": at.USDC.String(), "GOD_CURRENCY_CONTRACT_ADDRESS": at.GOD.String(),
	}
	for _, c := range registry.All() {
		if address, ok := at.Collections[c.Slug]; ok {
			env[c.Setting] = address.String()
		}
	}
	s, c := configure(t, env)
	o := s.options()
	if o.Endpoints, err = endpoint(chain); err != nil {
		t.Fatal(err)
	}
	a := s.start(c, o)
	ctx, stop := context.WithCancel(t.Context())
	var group errgroup.Group
	defer func() {
		stop()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	}()
	path := "/metadata/" + at.Collections["avatars"].Checksum() + "/1"
	get := func(path string) (status int, kind, body string) {
		w := s.send(http.MethodGet, path, "", nil)
		return w.Code, w.Header().Get("Content-Type"), w.Body.String()
	}
	if status, _, body := get(path); status != http.StatusNotFound {
		t.Errorf("before it is indexed: %d %s", status, body)
	}
	group.Go(func() error { return a.leader["game chain indexer"](ctx) })
	testkit.Eventually(t, time.Minute, func() bool { status, _, _ := get(path); return status == http.StatusOK }, "it is not indexed")
	if _, _, body := get(path); !strings.Contains(body, `"name":"Avatars #1"`) {
		t.Errorf("before its host is asked: %s", body)
	}
	if _, kind, body := get(path + "/image.svg"); kind != "image/svg+xml" || !strings.Contains(body, "#1</text>") {
		t.Errorf("before its host is asked the picture is %s: %s", kind, body)
	}

	group.Go(func() error { return a.leader["metadata"](ctx) })
	testkit.Eventually(t, time.Minute, func() bool { _, kind, _ := get(path + "/image.svg"); return kind == "image/jpeg" }, "it is not read")
	_, _, body := get(path)
	var got struct {
		Name, Description, Image string
		Attributes               []map[string]string
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Name != "Lantern Keeper 1" || len(got.Attributes) != 2 ||
		got.Description != "<b>Keeps</b> the light." || got.Image != "https://portal.example"+path+"/image.svg" {
		t.Errorf("%s, %v", body, err)
	}
	for width, want := range map[string]int{"": 640, "?w=100": 320, "?w=4000": 700} {
		_, _, body := get(path + "/image.svg" + width)
		if c, _, err := image.DecodeConfig(strings.NewReader(body)); err != nil || c.Width != want {
			t.Errorf("%q is %d pixels wide, %v, want %d", width, c.Width, err, want)
		}
	}
	// The catalogue's collections stay as they are, and what is on no chain is nothing.
	if _, _, body := get("/metadata/" + at.Collections["game-items"].Checksum() + "/1"); strings.Contains(body, "Lantern") {
		t.Errorf("an item of the catalogue is %s", body)
	}
	// What a contract says of itself is no token.
	entries := metadatastore.New(a.db, a.chains.index)
	if err := entries.Ask(t.Context(), devnettest.GameChain, at.Collections["avatars"], onchain.ERC721); err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"/.json", "/.json/image.svg"} {
		if status, _, body := get("/metadata/" + at.Collections["avatars"].Checksum() + odd); status != http.StatusNotFound {
			t.Errorf("%s: %d %.80s", odd, status, body)
		}
	}
	// A bucket that is away is covered by a placeholder, which browsers must not keep.
	bucket.Close()
	away := s.send(http.MethodGet, path+"/image.svg", "", nil)
	if away.Code != http.StatusOK || away.Header().Get("Content-Type") != "image/svg+xml" || away.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("without the bucket: %d %v", away.Code, away.Header())
	}
	if status, _, _ := get("/metadata/" + at.Collections["avatars"].Checksum() + "/2"); status != http.StatusNotFound {
		t.Errorf("a token that is on no chain: %d", status)
	}
}

// endpoint returns the client of a chain as the portal takes it.
func endpoint(chain *devnet.Chain) (map[onchain.ChainID]*rpc.Client, error) {
	client, err := rpc.New(rpc.Options{Name: "game chain", ChainID: devnettest.GameChain, Client: chain.Client()})
	return map[onchain.ChainID]*rpc.Client{devnettest.GameChain: client}, err
}

// Contracts name URIs in more than one form, and some name none.
func TestMetadata_TextsThatContractsReturn(t *testing.T) {
	t.Parallel()
	word := func(n byte) string { return strings.Repeat("\x00", 31) + string([]byte{n}) }
	for answer, want := range map[string]string{
		word(32) + word(4) + "ipfs" + strings.Repeat("\x00", 28): "ipfs",
		word(32) + word(0):                            "",
		"ipfs://old" + strings.Repeat("\x00", 22):     "ipfs://old",
		word(64) + word(9) + word(2) + "ab" + word(0): "ab",
	} {
		if got, err := stringOf([]byte(answer)); err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", answer, got, err, want)
		}
	}
	for _, answer := range []string{
		"", "short", word(32), word(32) + word(200), word(255) + word(1), strings.Repeat("\xff", 64), word(32) + strings.Repeat("\xff", 32),
	} {
		if got, err := stringOf([]byte(answer)); err == nil && len(answer) != 32 {
			t.Errorf("%q is %q", answer, got)
		}
	}
}

// A token that does not exist stops no other: the contract refuses it alone.
func TestMetadata_ContractsAreAskedForManyTokensAtOnce(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{MaxLead: 24 * time.Hour})
	registry := brandtest.Pantheon().Collections
	at, err := world.Deploy(t.Context(), chain.Client(), registry, collections.GameChain, world.Options{BaseURI: "https://studio.example/"})
	if err != nil {
		t.Fatal(err)
	}
	clients, err := endpoint(chain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clients[devnettest.GameChain].Close)
	asks := tokenURIs{map[onchain.ChainID]*chainParts{devnettest.GameChain: {rpc: clients[devnettest.GameChain]}}}
	var entries []metadata.Entry
	for id := range 250 {
		entries = append(entries, metadata.Entry{
			Contract: at.Collections["game-items"], Standard: onchain.ERC1155, TokenID: fmt.Sprint(id), Chain: devnettest.GameChain,
		})
	}
	entries[7] = metadata.Entry{Contract: at.Collections["avatars"], Standard: onchain.ERC721, TokenID: "7", Chain: devnettest.GameChain}
	entries[8] = metadata.Entry{Contract: at.USDC, Standard: onchain.ERC721, TokenID: "8", Chain: devnettest.GameChain}
	entries[9] = metadata.Entry{Contract: eth.Address{9}, Standard: onchain.ERC721, TokenID: "9", Chain: devnettest.GameChain}
	got, err := asks.URIs(t.Context(), devnettest.GameChain, entries)
	if err != nil || len(got) != len(entries) {
		t.Fatal(len(got), err)
	}
	for i, uri := range got {
		want := "https://studio.example/" + at.Collections["game-items"].String() + "/" + fmt.Sprint(i)
		switch {
		case i >= 7 && i <= 9:
			if uri.Err == nil {
				t.Errorf("%d has %q", i, uri.Text)
			}
		case uri.Err != nil || !strings.EqualFold(uri.Text, want):
			t.Errorf("%d has %q, %v, want %q", i, uri.Text, uri.Err, want)
		}
	}
}
