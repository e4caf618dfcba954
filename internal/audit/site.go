package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// site is a portal. Only what it publishes to everybody is read.
type site struct {
	url  string
	http *http.Client
}

// Waits of a portal that answers only so many calls in a minute.
const (
	mostTries = 20
	mostWait  = 2 * time.Minute
)

// get reads a call of the portal's API. It waits as long as a portal asks it to that limits calls.
func (s site) get(ctx context.Context, path string, result any) error {
	for range mostTries {
		wait, err := s.try(ctx, path, result)
		if wait == 0 {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return away("%s%s: the portal refuses calls", s.url, path)
}

// try reads a call once; wait is after how long to try again, 0 for not.
func (s site) try(ctx context.Context, path string, result any) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(s.url, "/")+path, nil)
	if err != nil {
		return 0, err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return 0, away("%s: %v", s.url, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return 0, away("%s: %v", s.url, err)
	}
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // without one, it is 0
		return min(max(time.Duration(seconds)*time.Second, time.Second), mostWait), nil
	case http.StatusNotFound, http.StatusGone:
		return 0, fmt.Errorf("%s%s: the portal has no such thing", s.url, path)
	default:
		var problem struct{ Message string }
		_ = json.Unmarshal(text, &problem) // without a message, the status says it
		return 0, away("%s%s: status %d %s", s.url, path, response.StatusCode, problem.Message)
	}
	if err := json.Unmarshal(text, result); err != nil {
		return 0, fmt.Errorf("%s%s: the answer is malformed: %w", s.url, path, err)
	}
	return 0, nil
}

// proof is the public proof of an opening.
type proof struct {
	State   string  `json:"state"`
	Message string  `json:"message"`
	Drop    string  `json:"drop"`
	Receipt string  `json:"receipt"`
	Grants  []grant `json:"grants"`
	Burn    *struct {
		Margin int64 `json:"margin"`
	} `json:"burn"`
}

type grant struct {
	ChainID  onchain.ChainID `json:"chainId"`
	Contract *eth.Address    `json:"contract"`
	TokenID  string          `json:"tokenId"`
	Currency string          `json:"currency"`
	Amount   string          `json:"amount"`
	State    string          `json:"state"`
	TxID     *eth.Hash       `json:"txId"`
}

func (s site) proof(ctx context.Context, id string) (p proof, err error) {
	err = s.get(ctx, "/api/packs/openings/"+id, &p)
	return p, err
}

// rarity returns a token's rarity by the portal's metadata, in lower case.
func (s site) rarity(ctx context.Context, contract eth.Address, tokenID string) (string, error) {
	var metadata struct {
		Attributes []struct {
			TraitType string          `json:"trait_type"`
			Value     json.RawMessage `json:"value"`
		} `json:"attributes"`
	}
	if err := s.get(ctx, "/metadata/"+contract.Checksum()+"/"+tokenID, &metadata); err != nil {
		return "", err
	}
	for _, a := range metadata.Attributes {
		var value string
		if a.TraitType == "Rarity" && json.Unmarshal(a.Value, &value) == nil {
			return strings.ToLower(value), nil
		}
	}
	return "", fmt.Errorf("the metadata of token %s names no rarity", tokenID)
}

// listed is an opening in the public list.
type listed struct {
	Place     int64  `json:"place"`
	OpeningID string `json:"openingId"`
	Kind      string `json:"kind"`
	Edition   int    `json:"edition"`
	State     string `json:"state"`
}

// openings returns all openings after a place, in the order of their places.
func (s site) openings(ctx context.Context, after int64) (all []listed, err error) {
	for {
		var page struct {
			Openings []listed `json:"openings"`
		}
		if err := s.get(ctx, fmt.Sprintf("/api/packs/openings?after=%d&limit=500", after), &page); err != nil {
			return nil, err
		}
		if len(page.Openings) == 0 {
			return all, nil
		}
		all = append(all, page.Openings...)
		last := page.Openings[len(page.Openings)-1].Place
		if last <= after {
			return nil, fmt.Errorf("the list of openings does not go on after place %d", after)
		}
		after = last
	}
}

// odds is what the portal says of its tables, and of what was drawn by each.
type odds struct {
	Beacon struct {
		PublicKey string `json:"publicKey"`
		Genesis   int64  `json:"genesis"`
		Period    int64  `json:"period"`
	} `json:"beacon"`
	Margin int64 `json:"margin"`
	Wallet struct {
		ChainID onchain.ChainID     `json:"chainId"`
		Address draw.ReceiptAddress `json:"address"`
	} `json:"wallet"`
	Wallets     []draw.ReceiptAddress `json:"wallets"` // all on the same chain, former ones too
	Collections []collection          `json:"collections"`
	Tables      []publishedTable      `json:"tables"`
}

// collection is where the tokens of a collection are.
type collection struct {
	Slug     string          `json:"slug"`
	ChainID  onchain.ChainID `json:"chainId"`
	Contract eth.Address     `json:"contract"`
}

// publishedTable is an edition as the portal shows it.
type publishedTable struct {
	tableFields
	shown draw.Table // the table in it
}

type tableFields struct {
	Kind      string `json:"kind"`
	Edition   int    `json:"edition"`
	Hash      string `json:"hash"`
	Canonical string `json:"canonical"`
	OnSale    bool   `json:"onSale"`
	Fixed     *struct {
		ChainID   onchain.ChainID     `json:"chainId"`
		By        string              `json:"by"`
		Address   draw.ReceiptAddress `json:"address"`
		Tx        eth.Hash            `json:"tx"`
		Block     uint64              `json:"block"`
		BlockTime time.Time           `json:"blockTime"`
	} `json:"fixed"`
	Openings int64 `json:"openings"`
	Free     int64 `json:"free"`
	Caps     []struct {
		Item  string `json:"item"`
		Given int64  `json:"given"`
	} `json:"caps"`
	Results []struct {
		ID        string  `json:"id"`
		Promised  float64 `json:"promised"`
		Effective float64 `json:"effective"`
		Now       float64 `json:"now"`
		Drawn     int64   `json:"drawn"`
		Hit       int64   `json:"hit"`
	} `json:"results"`
}

// UnmarshalJSON reads the table, whose fields are inlined, and the portal's data about it.
func (t *publishedTable) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &t.tableFields); err != nil {
		return err
	}
	return json.Unmarshal(text, &t.shown)
}

// key names the edition.
func (t publishedTable) key() string { return fmt.Sprint(t.Kind, " ", t.Edition) }

func (s site) odds(ctx context.Context) (o odds, err error) {
	err = s.get(ctx, "/api/packs/odds", &o)
	return o, err
}
