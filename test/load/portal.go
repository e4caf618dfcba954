package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// What is held in one round: every player fills the cart.
const (
	players      = 400
	unitsEach    = 20
	testListings = 800 // of unitsEach copies each
)

// The first numbers of the test listings, far above the demo market's: of those of many copies, and of those of one item, of
// which there is one for each hold.
const (
	firstNumber = 1_000_000
	firstUnique = 2_000_000
)

// portal is a running portal with many players, and enough listings for all of them.
type portal struct {
	*process
	metrics  string   // address of its metrics
	hosts    []string // replicas that are asked in its place; nil for none
	players  []*player.Player
	contract string
}

// startPortal creates the demo world, inserts listings directly into the database, and starts the portal with its
// default settings except for the rate limits, which would otherwise be all that is measured. url is that of a
// PostgreSQL database; "" for SQLite.
func startPortal(ctx context.Context, binary, dir, url string, more ...string) (*portal, error) {
	host, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	metrics, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	start := func() (*process, error) { return startReplica(ctx, binary, dir, url, host, metrics, more...) }
	process, err := start()
	if err != nil {
		return nil, err
	}
	contract, err := gameItems(ctx, host)
	process.stop()
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, store.Options{URL: url, Path: filepath.Join(dir, "pantheon.db")})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(addListings(ctx, db, contract), db.Close()); err != nil {
		return nil, err
	}
	if process, err = start(); err != nil {
		return nil, err
	}
	p := &portal{process: process, metrics: metrics, contract: contract}
	return p, nil
}

// startReplica starts a portal on an address, without limits of calls.
func startReplica(ctx context.Context, binary, dir, url, host, metrics string, more ...string) (*process, error) {
	env := []string{
		"METRICS_ADDR=" + metrics, "DATA_DIR=" + dir, "DATABASE_URL=" + url, "LISTEN_ADDR=" + host, "DEV_BEACON_PORT=0",
		"LOG_LEVEL=error", "TRUSTED_PROXIES=127.0.0.0/8", "DRAIN_TIME=0s",
		"LIMIT_LOGINS=0", "LIMIT_CART_CHANGES=0", "LIMIT_SIGNATURES=0", "LIMIT_CHAIN_READS=0", "LIMIT_READS=0",
	}
	return launch(ctx, host, "/readyz", append(env, more...), binary, "dev")
}

// run is runOn with the portal, or the replicas in its place.
func (p *portal) run(ctx context.Context, limit time.Duration, next func(connection, n int) (request, bool)) (figures, error) {
	hosts := p.hosts
	if hosts == nil {
		hosts = []string{p.host}
	}
	return runOn(ctx, hosts, connections, limit, next)
}

// gameItems waits for the demo market and returns the contract of a collection.
func gameItems(ctx context.Context, host string) (string, error) {
	reader, err := player.SignUp(ctx, "http://"+host)
	if err != nil {
		return "", err
	}
	for {
		listings, err := reader.Listings(ctx, "game-items", 1)
		if err != nil {
			return "", err
		}
		if len(listings) == 1 {
			return listings[0].Contract.String(), nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func addListings(ctx context.Context, db *store.DB, contract string) error {
	now := time.Now()
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		add := func(number int, quantity int64) error {
			id := strconv.Itoa(number)
			return index.AddListing(ctx, tx, gen.Listing{
				ID: "1337042-" + id, ChainID: 1337042, ListingID: id, Contract: eth.MustAddress(contract), TokenID: "1",
				Seller: eth.MustAddress("0x00000000000000000000000000000000000000aa"), Quantity: quantity,
				Currency: eth.MustAddress("0x00000000000000000000000000000000000000bb"), Price: money.FromInt(2000000), PriceRank: 2000000,
				EndAt: column.At(now.Add(time.Hour)), Status: "active", Valid: true,
			}, gen.InsertTokenParams{Contract: eth.MustAddress(contract), TokenID: "1"})
		}
		for i := range testListings {
			if err := add(firstNumber+i, unitsEach); err != nil {
				return err
			}
		}
		for i := range players * unitsEach {
			if err := add(firstUnique+i, 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// enter creates a number of players with player.SignUp or player.Register.
func (p *portal) enter(ctx context.Context, players int, register func(context.Context, string) (*player.Player, error)) error {
	p.players = make([]*player.Player, players)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(connections)
	for i := range p.players {
		group.Go(func() (err error) {
			p.players[i], err = register(ctx, "http://"+p.host)
			return err
		})
	}
	return group.Wait()
}

// holds measures rounds in which every player fills the cart. Emptying the carts in between is not measured, nor is the sending
// of the messages that say so.
func (p *portal) holds(ctx context.Context, limit time.Duration, listing func(player, unit int) int) (figures, error) {
	f, _, err := p.holdRounds(ctx, limit, listing)
	return f, err
}

// holdRounds is holds, and returns how many rounds there were.
func (p *portal) holdRounds(ctx context.Context, limit time.Duration, listing func(player, unit int) int) (f figures, n int, err error) {
	var rounds []figures
	for end := time.Now().Add(limit); time.Now().Before(end); {
		f, err := p.run(ctx, time.Minute, p.nextHold(listing))
		if err != nil {
			return f, 0, err
		}
		rounds = append(rounds, f)
		if _, err := p.run(ctx, time.Minute, p.nextEmpty); err != nil {
			return f, 0, err
		}
		if err := p.drained(ctx); err != nil {
			return f, 0, err
		}
	}
	return median(rounds), len(rounds), nil
}

// drained waits until the outbox has sent all messages.
func (p *portal) drained(ctx context.Context) error {
	for {
		body, err := get(ctx, "http://"+p.metrics+"/metrics")
		if err != nil {
			return err
		}
		if strings.Contains(body, "\npantheon_outbox_oldest_age_seconds 0\n") {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// get returns the body of a response with status 200.
func get(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d", url, response.StatusCode)
	}
	return string(body), err
}

// median returns the round with the median rate. Rounds have the same size, so it is representative.
func median(rounds []figures) figures {
	slices.SortFunc(rounds, func(a, b figures) int { return cmp.Compare(a.perSecond, b.perSecond) })
	return rounds[len(rounds)/2]
}

// networkOf returns an address of a player's network. Players do not share one, because the units that a network holds are
// limited.
func networkOf(player int) string { return fmt.Sprintf("10.%d.%d.1", player/256, player%256) }

// copies and unique return the listing that a player holds one of: of many copies, and of one item.
func copies(player, unit int) int { return firstNumber + (player+unit*37)%testListings }
func unique(player, unit int) int { return firstUnique + player*unitsEach + unit }

func (p *portal) nextHold(listing func(player, unit int) int) func(connection, n int) (request, bool) {
	return func(connection, n int) (request, bool) {
		i := connection + n/unitsEach*connections
		if i >= players {
			return request{}, false
		}
		body := fmt.Sprintf(`{"playFabId":%q,"newItem":{"listingId":"%d","assetContractAddress":%q}}`, p.players[i].ID,
			listing(i, n%unitsEach), p.contract)
		return prepare("POST", p.host, "/api/auth/marketplace/cart/addToCart", networkOf(i), p.players[i].Token(), body, http.StatusOK,
			`"success":true`), true
	}
}

func (p *portal) nextEmpty(connection, n int) (request, bool) {
	i := connection + n*connections
	if i >= players {
		return request{}, false
	}
	body := fmt.Sprintf(`{"playFabId":%q}`, p.players[i].ID)
	return prepare("POST", p.host, "/api/auth/marketplace/cart/emptyCart", networkOf(i), p.players[i].Token(), body, http.StatusOK,
		`"success":true`), true
}

func (p *portal) listings(ctx context.Context, limit time.Duration) (figures, error) {
	first := prepare("GET", p.host, "/api/marketplace/listings?limit=30&sort=price-desc", "", p.players[0].Token(), "",
		http.StatusOK, `"items":[{`)
	return p.run(ctx, limit, func(int, int) (request, bool) { return first, true })
}

// others measures pages of different URLs, which the server does not answer together.
func (p *portal) others(ctx context.Context, limit time.Duration) (figures, error) {
	return p.run(ctx, limit, func(connection, n int) (request, bool) {
		path := fmt.Sprintf("/api/marketplace/listings?limit=30&sort=price-desc&max=%d", 1_000_000+connection+n*connections)
		return prepare("GET", p.host, path, "", p.players[connection%players].Token(), "", http.StatusOK, `"items":[{`), true
	})
}

func (p *portal) profiles(ctx context.Context, limit time.Duration) (figures, error) {
	return p.run(ctx, limit, func(connection, n int) (request, bool) {
		who := p.players[(connection+n*connections)%players]
		return prepare("GET", p.host, "/api/auth/profile", "", who.Token(), "", http.StatusOK, who.ID), true
	})
}
