package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// get reads a call of the portal's API.
func (s site) get(ctx context.Context, path string, result any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(s.url, "/")+path, nil)
	if err != nil {
		return err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return away("%s: %v", s.url, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return away("%s: %v", s.url, err)
	}
	if response.StatusCode != http.StatusOK {
		var problem struct{ Message string }
		_ = json.Unmarshal(text, &problem) // without a message, the status says it
		return away("%s%s: status %d %s", s.url, path, response.StatusCode, problem.Message)
	}
	if err := json.Unmarshal(text, result); err != nil {
		return away("%s%s: the answer is malformed: %v", s.url, path, err)
	}
	return nil
}

// proof is the public proof of an opening.
type proof struct {
	State   string  `json:"state"`
	Message string  `json:"message"`
	Receipt string  `json:"receipt"`
	Grants  []grant `json:"grants"`
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
	if err := s.get(ctx, "/api/packs/openings/"+id, &p); err != nil {
		return p, err
	}
	if p.Receipt == "" {
		return p, fmt.Errorf("%s: the opening has no receipt, it is %s. %s", id, p.State, p.Message)
	}
	return p, nil
}

// log is a part of the public log of payments.
type log struct {
	Records []loggedRecord `json:"records"`
	Anchors []anchor       `json:"anchors"`
}

type loggedRecord struct {
	draw.Record
	RecordedAt time.Time `json:"recordedAt"`
	Hash       string    `json:"hash"`
}

type anchor struct {
	Number    uint64          `json:"number"`
	HashHex   string          `json:"hash"`
	ChainID   onchain.ChainID `json:"chainId"`
	Wallet    eth.Address     `json:"wallet"`
	TxID      eth.Hash        `json:"txId"`
	Block     uint64          `json:"block"`
	BlockTime time.Time       `json:"blockTime"`
	Hash      [32]byte        `json:"-"`
}

func (r loggedRecord) logged() (out draw.LoggedRecord, err error) {
	out.Record = r.Record
	out.Record.RecordedAt = r.RecordedAt.Unix()
	out.Hash, err = hash32(r.Hash)
	return out, err
}

func hash32(text string) (out [32]byte, err error) {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(b) != 32 {
		return out, errors.New("a hash of the public log is malformed")
	}
	return [32]byte(b), nil
}

// records returns the log from the record before a number to the first anchor that covers it, with hashes that follow from one
// another.
func (s site) records(ctx context.Context, number uint64) (l log, err error) {
	var before draw.LoggedRecord
	after := uint64(0)
	if number > 1 {
		after = number - 2
	}
	for {
		var page log
		if err := s.get(ctx, fmt.Sprintf("/api/packs/records?after=%d&limit=500", after), &page); err != nil {
			return l, err
		}
		var records []draw.LoggedRecord
		for _, r := range page.Records {
			logged, err := r.logged()
			if err != nil {
				return l, err
			}
			records = append(records, logged)
		}
		if len(l.Records) == 0 && number > 1 && len(records) > 0 {
			before, records = records[0], records[1:] // its own hash is checked with what comes before it
		}
		if err := draw.VerifyRecords(before, records); err != nil {
			return l, fmt.Errorf("the public log: %w", err)
		}
		l.Records = append(l.Records, page.Records...)
		for _, a := range page.Anchors {
			if a.Number < number {
				continue
			}
			if a.Hash, err = hash32(a.HashHex); err != nil {
				return l, err
			}
			l.Anchors = append(l.Anchors, a)
		}
		if len(page.Records) == 0 || len(l.Anchors) > 0 && l.Anchors[0].Number <= page.Records[len(page.Records)-1].Number {
			return l, nil
		}
		before = draw.LoggedRecord{}
		if len(records) > 0 {
			before = records[len(records)-1]
		}
		after = page.Records[len(page.Records)-1].Number
	}
}

// matches checks that the log has the record of a receipt, and the first anchor the hash of its own record.
func (l log) matches(v draw.Verified) error {
	want, _ := v.Record()
	found := false
	for _, r := range l.Records {
		logged, err := r.logged()
		if err != nil {
			return err
		}
		if r.Number == want.Number {
			if !bytes.Equal(logged.Canonical(), want.Canonical()) {
				return fmt.Errorf("the public log has another record of number %d: %s", want.Number, logged.Canonical())
			}
			found = true
		}
		if len(l.Anchors) > 0 && r.Number == l.Anchors[0].Number && logged.Hash != l.Anchors[0].Hash {
			return fmt.Errorf("record %d was anchored with another hash: records were changed", r.Number)
		}
	}
	if !found {
		return fmt.Errorf("the public log has no record %d", want.Number)
	}
	return nil
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
	State     string `json:"state"`
}

// openings returns all openings, in the order of their places.
func (s site) openings(ctx context.Context) (all []listed, err error) {
	for {
		after := int64(0)
		if len(all) > 0 {
			after = all[len(all)-1].Place
		}
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
	}
}

// odds is what the portal says was drawn by each table.
type odds struct {
	Margin int64
	Wallet struct {
		ChainID onchain.ChainID
		Address eth.Address
	}
	Tables []struct {
		Kind      string
		Edition   int
		Hash      string
		Canonical string
		Openings  int64
		Caps      []struct {
			Item  string
			Given int64
		}
		Results []struct {
			ID    string
			Drawn int64
		}
	}
}

func (s site) odds(ctx context.Context) (o odds, err error) {
	err = s.get(ctx, "/api/packs/odds", &o)
	return o, err
}
