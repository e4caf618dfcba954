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
	From    time.Time `yaml:"from" json:"from"`       // what is burned or recorded as paid from this time on is drawn by it; in whole seconds, UTC
	Total   int64     `yaml:"total" json:"total"`     // what the weights add up to
	Pity    *Pity     `yaml:"pity" json:"pity,omitempty"`
	Drops   []Drop    `yaml:"drops" json:"drops"`
}

// Pity guarantees something good after bad luck: when a wallet's last After openings of the kind had nothing of the
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
	Without int64            // the wallet's openings of the kind, in a row up to this one, without a drop of the pity's rarity or rarer
	Drawn   map[string]int64 // how often capped drops have been drawn by all before, by id
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

// After returns the luck that counts for the wallet's next opening of the kind.
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

// Consoles reports whether a drop ends the wallet's run without luck.
func (t Table) Consoles(d Drop) bool { return t.Pity != nil && d.Rarity.Rank() >= t.Pity.Rarity.Rank() }

// idPattern is what kinds and ids look like. They begin with a letter, so that JavaScript keeps the order of objects that
// have them as keys.
var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// tokenPattern is what token ids look like: a decimal uint256.
var tokenPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,77})$`)

// A fault is a rule that a table breaks: the path to the field, of names and indexes, and what is wrong with it.
type fault struct {
	path []any
	why  string
}

func (f fault) String() string {
	var b strings.Builder
	for i, step := range f.path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, step)
		}
	}
	return b.String() + ": " + f.why
}

// Validate returns every rule that the table breaks, by field.
func (t Table) Validate() error {
	var faults []error
	for _, f := range t.faults() {
		faults = append(faults, fmt.Errorf("%s %d: %s", t.Kind, t.Version, f))
	}
	return errors.Join(faults...)
}

func (t Table) faults() (faults []fault) {
	bad := func(why string, path ...any) { faults = append(faults, fault{path, why}) }
	if !idPattern.MatchString(t.Kind) {
		bad("is missing or malformed", "kind")
	}
	if t.Version < 1 || t.Version > 1e6 {
		bad("must be from 1 to 1000000", "version")
	}
	if year := t.From.UTC().Year(); year < 1970 || year > 9999 || t.From.Nanosecond() != 0 {
		bad("must be a time in whole seconds, from 1970 to 9999", "from")
	}
	if t.Pity != nil && (t.Pity.After < 1 || t.Pity.After > 1e6) {
		bad("must be from 1 to 1000000", "pity", "after")
	}
	if t.Pity != nil && t.Pity.Rarity.Rank() < 0 {
		bad(fmt.Sprintf("%q is no rarity", t.Pity.Rarity), "pity", "rarity")
	}
	sum, consoled, seen := int64(0), false, map[string]bool{}
	for i, d := range t.Drops {
		bad := func(why string, path ...any) { bad(why, append([]any{"drops", i}, path...)...) }
		switch {
		case !idPattern.MatchString(d.ID):
			bad(fmt.Sprintf("%q is malformed", d.ID), "id")
		case seen[d.ID]:
			bad(fmt.Sprintf("%q is there twice", d.ID), "id")
		}
		seen[d.ID] = true
		if d.Name == "" || !utf8.ValidString(d.Name) || strings.ContainsFunc(d.Name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			bad("is missing or not printable", "name")
		}
		if d.Rarity.Rank() < 0 {
			bad(fmt.Sprintf("%q is no rarity", d.Rarity), "rarity")
		}
		if d.Weight < 1 || d.Weight > maxAmount {
			bad("must be from 1 to 10^12", "weight")
		}
		sum += min(max(d.Weight, 0), maxAmount)
		consoled = consoled || t.Consoles(d)
		t.checkCap(d, bad)
		if len(d.Gives) == 0 {
			bad("is missing", "gives")
		}
		for j, g := range d.Gives {
			g.check(func(why string, path ...any) { bad(why, append([]any{"gives", j}, path...)...) })
		}
	}
	if sum != t.Total || sum == 0 {
		bad(fmt.Sprintf("is %d, but the weights add up to %d", t.Total, sum), "total")
	}
	if t.Pity != nil && !consoled {
		bad(fmt.Sprintf("no drop is %s or rarer", t.Pity.Rarity), "pity")
	}
	return faults
}

// maxAmount bounds weights, caps and amounts.
const maxAmount = 1e12

func (t Table) checkCap(d Drop, bad func(why string, path ...any)) {
	s := t.drop(d.Substitute)
	switch {
	case d.Cap < 0 || d.Cap > maxAmount:
		bad("must be from 1 to 10^12, or left out", "cap")
	case d.Cap == 0 && d.Substitute != "":
		bad("is for capped drops", "substitute")
	case d.Cap > 0 && (s == nil || s.Cap > 0):
		bad("must be a drop of the table that has no cap", "substitute")
	case d.Cap > 0 && t.Pity != nil && t.Consoles(d) && !t.Consoles(*s):
		bad(fmt.Sprintf("must be %s or rarer, for the pity's sake", t.Pity.Rarity), "substitute")
	}
}

func (g Grant) check(bad func(why string, path ...any)) {
	switch {
	case (g.Collection == "") == (g.Currency == ""):
		bad("gives either a token or a currency")
	case g.Currency != "" && g.Token != "":
		bad("a currency has no tokens", "token")
	case g.Collection != "" && !idPattern.MatchString(g.Collection):
		bad("is malformed", "collection")
	case g.Currency != "" && !idPattern.MatchString(g.Currency):
		bad("is malformed", "currency")
	case g.Token != "" && !tokenPattern.MatchString(g.Token):
		bad("is malformed", "token")
	case g.Collection != "" && g.Token == "" && g.Amount != 1:
		bad("must be 1 for a new token", "amount")
	case g.Amount < 1 || g.Amount > maxAmount:
		bad("must be from 1 to 10^12", "amount")
	}
}
