package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"pantheon/internal/testkit"
)

// pocketBaseVersion is the compared release.
const pocketBaseVersion = "v0.36.8"

const pocketBaseMain = `package main

import (
	"log"

	"github.com/pocketbase/pocketbase"
)

func main() {
	if err := pocketbase.New().Start(); err != nil {
		log.Fatal(err)
	}
}
`

// pocketBase is a running PocketBase with one signed-in user and a collection of records.
type pocketBase struct {
	*process
	token string
	ids   []string     // of some records
	holds atomic.Int64 // records that were created as holds
}

// startPocketBase builds PocketBase from its module, outside of this one, and prepares it.
func startPocketBase(ctx context.Context, dir string) (*pocketBase, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(pocketBaseMain), 0o600); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	for _, args := range [][]string{
		{"go", "mod", "init", "peer"},
		{"go", "get", "github.com/pocketbase/pocketbase@" + pocketBaseVersion},
		{"go", "build", "-o", "pocketbase", "."},
		{"./pocketbase", "superuser", "upsert", "root@example.org", "correct horse battery", "--dir", data},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = dir
		if args[0] == "./pocketbase" {
			cmd.Path = filepath.Join(dir, "pocketbase")
		}
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	host, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	process, err := launch(ctx, host, "/api/health", nil, filepath.Join(dir, "pocketbase"), "serve", "--http", host, "--dir", data)
	if err != nil {
		return nil, err
	}
	p := &pocketBase{process: process}
	if err := p.prepare(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// prepare creates a user, and two collections that any signed-in user may read and write: one for holds, and one with as many
// listings as the portal has.
func (p *pocketBase) prepare() error {
	var root struct{ Token string }
	if err := p.call("/api/collections/_superusers/auth-with-password", "", map[string]any{
		"identity": "root@example.org", "password": "correct horse battery",
	}, &root); err != nil {
		return err
	}
	rule := `@request.auth.id != ""`
	text := func(name string) map[string]any { return map[string]any{"name": name, "type": "text"} }
	for name, index := range map[string]string{
		"holds": "CREATE UNIQUE INDEX holds_unit ON holds (listing, unit)", "listings": "CREATE INDEX listings_price ON listings (price)",
	} {
		if err := p.call("/api/collections", root.Token, map[string]any{
			"name": name, "type": "base", "listRule": rule, "viewRule": rule, "createRule": rule,
			"fields": []any{text("listing"), text("player"), text("name"), text("rarity"), map[string]any{"name": "unit", "type": "number"},
				map[string]any{"name": "price", "type": "number"}, map[string]any{"name": "expires", "type": "number"}},
			"indexes": []string{index},
		}, nil); err != nil {
			return err
		}
	}
	if err := p.call("/api/collections/users/records", root.Token, map[string]any{
		"email": "player@example.org", "password": "correct horse battery", "passwordConfirm": "correct horse battery",
	}, nil); err != nil {
		return err
	}
	var user struct{ Token string }
	if err := p.call("/api/collections/users/auth-with-password", "", map[string]any{
		"identity": "player@example.org", "password": "correct horse battery",
	}, &user); err != nil {
		return err
	}
	p.token = user.Token
	for i := range testListings + players*unitsEach {
		var record struct{ ID string }
		if err := p.call("/api/collections/listings/records", p.token, map[string]any{
			"listing": strconv.Itoa(firstNumber + i), "unit": 1, "player": "seed", "name": "Bull-Breaker", "rarity": "rare", "price": 2_000_000,
			"expires": i,
		}, &record); err != nil {
			return err
		}
		if i < 200 {
			p.ids = append(p.ids, record.ID)
		}
	}
	return nil
}

func (p *pocketBase) call(path, token string, body, out any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+p.host+path, bytes.NewReader(b))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var text bytes.Buffer
		_, _ = text.ReadFrom(response.Body)
		return fmt.Errorf("%s: %d %s", path, response.StatusCode, &text)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(out)
}

func (p *pocketBase) creates(ctx context.Context, limit time.Duration) (figures, error) {
	return run(ctx, p.host, connections, limit, func(c, n int) (request, bool) {
		body := fmt.Sprintf(`{"listing":"%d","unit":%d,"player":"p%d","expires":%d,"price":100}`, c, p.holds.Add(1), c, n)
		return prepare("POST", p.host, "/api/collections/holds/records", "", p.token, body, http.StatusOK, `"id"`), true
	})
}

func (p *pocketBase) lists(ctx context.Context, limit time.Duration) (figures, error) {
	r := prepare("GET", p.host, "/api/collections/listings/records?perPage=30&sort=-price", "", p.token, "", http.StatusOK, `"items":[{`)
	return run(ctx, p.host, connections, limit, func(int, int) (request, bool) { return r, true })
}

func (p *pocketBase) records(ctx context.Context, limit time.Duration) (figures, error) {
	return run(ctx, p.host, connections, limit, func(_, n int) (request, bool) {
		id := p.ids[n%len(p.ids)]
		return prepare("GET", p.host, "/api/collections/listings/records/"+id, "", p.token, "", http.StatusOK, id), true
	})
}
