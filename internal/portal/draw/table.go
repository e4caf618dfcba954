package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/kit/rarity"
)

// Table says what one kind of opening can contain, and how likely. A table is immutable: a change is a new version.
type Table struct {
	Kind    string    `yaml:"kind" json:"kind"`       // what is opened, such as "general"
	Version int       `yaml:"version" json:"version"` // from 1, each one more than the version before
	From    time.Time `yaml:"from" json:"from"`       // burns in blocks from this time on are drawn by it, in whole seconds, UTC
	Total   int64     `yaml:"total" json:"total"`     // what the weights add up to
	Pity    *Pity     `yaml:"pity" json:"pity,omitempty"`
	Drops   []Drop    `yaml:"drops" json:"drops"`
}

// Pity guarantees something good after bad luck: when a player's last After openings of the kind had nothing of the
// rarity or rarer, the next is drawn among those drops alone.
type Pity struct {
	After  int           `yaml:"after" json:"after"`
	Rarity rarity.Rarity `yaml:"rarity" json:"rarity"`
}

// Drop is one thing that can be drawn.
type Drop struct {
	ID         string        `yaml:"id" json:"id"`
	Name       string        `yaml:"name" json:"name"`
	Rarity     rarity.Rarity `yaml:"rarity" json:"rarity"`
	Weight     int64         `yaml:"weight" json:"weight"` // its share of Total
	Gives      []Grant       `yaml:"gives" json:"gives"`
	Cap        int64         `yaml:"cap" json:"cap,omitempty"`               // how many there are in all; 0 for no cap
	Substitute string        `yaml:"substitute" json:"substitute,omitempty"` // the drop in its place when there are none left
}

// Grant is one part of a drop: copies of a token, a new token of an ERC-721 collection, or an amount of a currency.
type Grant struct {
	Collection string `yaml:"collection" json:"collection,omitempty"` // slug
	Token      string `yaml:"token" json:"token,omitempty"`           // decimal id; "" for a new token
	Currency   string `yaml:"currency" json:"currency,omitempty"`     // code
	Amount     int64  `yaml:"amount" json:"amount"`
}

// Canonical returns the table as its hash and receipts have it: JSON with the fields in the order of the type.
func (t Table) Canonical() []byte {
	t.From = t.From.UTC()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // as JavaScript's JSON.stringify
	if err := e.Encode(t); err != nil {
		panic(fmt.Sprintf("draw: a table cannot be written as JSON: %v", err)) // it is plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Hash returns the SHA-256 of the canonical table.
func (t Table) Hash() [32]byte { return sha256.Sum256(t.Canonical()) }

// drop returns the drop of an id, or nil.
func (t Table) drop(id string) *Drop {
	if i := slices.IndexFunc(t.Drops, func(d Drop) bool { return d.ID == id }); i >= 0 {
		return &t.Drops[i]
	}
	return nil
}

// Luck is what came before an opening and counts for it.
type Luck struct {
	Without int64            // the player's openings of the kind, in a row up to this one, without a drop of the pity's rarity or rarer
	Drawn   map[string]int64 // how often capped drops have been drawn by all players before, by id
}

// Outcome is what an opening contains.
type Outcome struct {
	Picked  Drop // by its weight
	Drop    Drop // what the opening gives: Picked, or its substitute
	Pitied  bool // drawn among the pity's drops alone
	Instead bool // Picked has run out
	// Tokens are the ids of the new tokens among the drop's grants, decimal, in their order. What a token is follows from
	// its id, so the ids are drawn too.
	Tokens []string
}

// newTokens is where the ids of drawn tokens begin; they end before twice as much, which JavaScript's numbers can hold.
const newTokens = 1 << 52

// Draw returns the outcome: a number below the weights' sum picks among the eligible drops, in the table's order. Then each
// new token gets an id. The table must be valid.
func (t Table) Draw(w *Words, before Luck) Outcome {
	out := Outcome{Pitied: t.Pity != nil && before.Without >= int64(t.Pity.After)}
	eligible := func(d Drop) bool { return !out.Pitied || d.Rarity.Rank() >= t.Pity.Rarity.Rank() }
	sum := int64(0)
	for _, d := range t.Drops {
		if eligible(d) {
			sum += d.Weight
		}
	}
	n := int64(w.Below(uint64(sum)))
	for _, d := range t.Drops {
		if !eligible(d) {
			continue
		}
		if n < d.Weight {
			out.Picked, out.Drop = d, d
			break
		}
		n -= d.Weight
	}
	if out.Drop.Cap > 0 && before.Drawn[out.Drop.ID] >= out.Drop.Cap {
		out.Drop, out.Instead = *t.drop(out.Drop.Substitute), true
	}
	for _, g := range out.Drop.Gives {
		if g.Collection != "" && g.Token == "" {
			out.Tokens = append(out.Tokens, strconv.FormatUint(newTokens+w.Below(newTokens), 10))
		}
	}
	return out
}

// After returns the luck that counts for the player's next opening of the kind.
func (t Table) After(before Luck, o Outcome) Luck {
	after := Luck{Without: before.Without + 1, Drawn: before.Drawn}
	if t.Consoles(o.Drop) {
		after.Without = 0
	}
	if o.Drop.Cap > 0 {
		after.Drawn = maps.Clone(before.Drawn)
		if after.Drawn == nil {
			after.Drawn = map[string]int64{}
		}
		after.Drawn[o.Drop.ID]++
	}
	return after
}

// Consoles reports whether a drop ends the player's run without luck.
func (t Table) Consoles(d Drop) bool { return t.Pity != nil && d.Rarity.Rank() >= t.Pity.Rarity.Rank() }

// idPattern is what kinds and ids look like. They begin with a letter, so that JavaScript keeps the order of objects that
// have them as keys.
var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// tokenPattern is what token ids look like: a decimal uint256.
var tokenPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,77})$`)

// Validate returns every rule that the table breaks, by field.
func (t Table) Validate() error {
	var faults []error
	bad := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s %d: %s: %s", t.Kind, t.Version, field, fmt.Sprintf(format, args...)))
	}
	if !idPattern.MatchString(t.Kind) {
		bad("kind", "is missing or malformed")
	}
	if t.Version < 1 || t.Version > 1e6 {
		bad("version", "must be at least 1, and 1000000 at most")
	}
	if year := t.From.UTC().Year(); year < 1970 || year > 9999 || t.From.Nanosecond() != 0 {
		bad("from", "must be a time in whole seconds, from 1970 to 9999")
	}
	if t.Pity != nil && (t.Pity.After < 1 || t.Pity.After > 1e6 || t.Pity.Rarity.Rank() < 0) {
		bad("pity", "needs a number of openings, from 1 to 1000000, and a rarity")
	}
	sum, consoled, seen := int64(0), false, map[string]bool{}
	for i, d := range t.Drops {
		at := fmt.Sprintf("drops[%d] (%s)", i, d.ID)
		if !idPattern.MatchString(d.ID) || seen[d.ID] {
			bad(at, "the id is malformed or there twice")
		}
		seen[d.ID] = true
		if d.Name == "" || !utf8.ValidString(d.Name) || strings.ContainsFunc(d.Name, func(r rune) bool { return !unicode.IsPrint(r) }) || d.Rarity.Rank() < 0 {
			bad(at, "needs a printable name and a rarity")
		}
		if d.Weight < 1 || d.Weight > 1e12 {
			bad(at, "the weight must be from 1 to 10^12")
		}
		sum += min(max(d.Weight, 0), 1e12)
		consoled = consoled || t.Consoles(d)
		t.validateCap(d, func(format string, args ...any) { bad(at, format, args...) })
		if len(d.Gives) == 0 {
			bad(at, "gives nothing")
		}
		for _, g := range d.Gives {
			switch {
			case (g.Collection == "") == (g.Currency == "") || g.Currency != "" && g.Token != "":
				bad(at, "gives either a token or a currency")
			case g.Collection != "" && !idPattern.MatchString(g.Collection) || g.Currency != "" && !idPattern.MatchString(g.Currency):
				bad(at, "the collection or currency is malformed")
			case g.Token != "" && !tokenPattern.MatchString(g.Token):
				bad(at, "the token's id is malformed")
			case g.Amount < 1 || g.Amount > 1e12 || g.Collection != "" && g.Token == "" && g.Amount != 1:
				bad(at, "the amount must be from 1 to 10^12, and is 1 for a new token")
			}
		}
	}
	if sum != t.Total || sum == 0 {
		bad("total", "is %d, but the weights add up to %d", t.Total, sum)
	}
	if t.Pity != nil && !consoled {
		bad("pity", "no drop is %s or rarer", t.Pity.Rarity)
	}
	return errors.Join(faults...)
}

func (t Table) validateCap(d Drop, bad func(format string, args ...any)) {
	s := t.drop(d.Substitute)
	switch {
	case d.Cap < 0 || d.Cap > 1e12:
		bad("the cap must be from 1 to 10^12, or left out")
	case d.Cap == 0 && d.Substitute != "":
		bad("a substitute is for capped drops")
	case d.Cap > 0 && (s == nil || s.Cap > 0):
		bad("a capped drop needs a substitute in the table that has no cap")
	case d.Cap > 0 && t.Pity != nil && t.Consoles(d) && !t.Consoles(*s):
		bad("its substitute must be %s or rarer, for the pity's sake", t.Pity.Rarity)
	}
}
