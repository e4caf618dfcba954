package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/series"
)

// Table says what one edition of a kind of pack can contain, and how likely. It belongs to its packs for ever: other odds are
// another edition.
type Table struct {
	Kind    string `yaml:"kind" json:"kind"`             // what is opened, such as "general"
	Edition int    `yaml:"edition" json:"edition"`       // from 1
	Token   string `yaml:"token" json:"token,omitempty"` // the pack's id in the chests contract, decimal; "" for packs of the shop
	Total   int64  `yaml:"total" json:"total"`           // what the weights add up to
	Pity    *Pity  `yaml:"pity" json:"pity,omitempty"`
	Caps    []Cap  `yaml:"caps" json:"caps,omitempty"` // by item
	Drops   []Drop `yaml:"drops" json:"drops"`
}

// Pity guarantees something good after bad luck: when a wallet's last After openings of the kind had nothing of the
// rarity or rarer, the next is drawn among those drops alone.
type Pity struct {
	After  int           `yaml:"after" json:"after"`
	Rarity rarity.Rarity `yaml:"rarity" json:"rarity"`
}

// Cap limits how many units of an item the openings of a kind give, over all editions.
type Cap struct {
	Item string `yaml:"item" json:"item"` // see Grant.Item
	Most int64  `yaml:"most" json:"most"`
}

// Drop is one thing that can be drawn.
type Drop struct {
	ID         string        `yaml:"id" json:"id"`
	Name       string        `yaml:"name" json:"name"`
	Rarity     rarity.Rarity `yaml:"rarity" json:"rarity"` // what is in it is at least that rare
	Weight     int64         `yaml:"weight" json:"weight"` // its share of Total
	Gives      []Grant       `yaml:"gives" json:"gives"`
	Substitute string        `yaml:"substitute" json:"substitute,omitempty"` // the drop in its place when a capped item has run out
}

// Grant is one part of a drop: copies of a token, an amount of a currency, or a new token, which is one of the variants.
type Grant struct {
	Collection string    `yaml:"collection" json:"collection,omitempty"` // slug
	Token      string    `yaml:"token" json:"token,omitempty"`           // decimal id; "" for a new token
	Currency   string    `yaml:"currency" json:"currency,omitempty"`     // code
	Amount     int64     `yaml:"amount" json:"amount"`
	Total      int64     `yaml:"total" json:"total,omitempty"`       // what the variants' weights add up to
	Variants   []Variant `yaml:"variants" json:"variants,omitempty"` // of a new token
}

// Variant is what a new token can be. Its series is in the token's id, so what an id means is fixed with the table.
type Variant struct {
	ID     string        `yaml:"id" json:"id"`
	Name   string        `yaml:"name" json:"name"`
	Rarity rarity.Rarity `yaml:"rarity" json:"rarity"`
	Weight int64         `yaml:"weight" json:"weight"` // its share of the grant's Total
	Series int64         `yaml:"series" json:"series"` // of its tokens' ids
}

// Item names what a cap can limit: "<collection>" for its new tokens, "<collection>/<token>" for copies of a token; "" for a
// currency.
func (g Grant) Item() string {
	switch {
	case g.Collection == "":
		return ""
	case g.Token == "":
		return g.Collection
	}
	return g.Collection + "/" + g.Token
}

// Units returns how many units of an item the drop gives.
func (d Drop) Units(item string) (n int64) {
	for _, g := range d.Gives {
		if item != "" && g.Item() == item {
			n += g.Amount
		}
	}
	return n
}

// Rarities returns how the rarity of what a drop gives is distributed, with shares that add up to 1: that of the drop, or the
// variants' of its first new token.
func (d Drop) Rarities() map[rarity.Rarity]float64 {
	for _, g := range d.Gives {
		if len(g.Variants) > 0 {
			shares := map[rarity.Rarity]float64{}
			for _, v := range g.Variants {
				shares[v.Rarity] += float64(v.Weight) / float64(g.Total)
			}
			return shares
		}
	}
	return map[rarity.Rarity]float64{d.Rarity: 1}
}

// Canonical returns the table as its hash and receipts have it: JSON with the fields in the order of the type.
func (t Table) Canonical() []byte { return canonical(t) }

// canonical writes JSON as JavaScript's JSON.stringify does.
func canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("draw: %T cannot be written as JSON: %v", v, err)) // it is plain values
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
	// Without is the number of the wallet's openings of the kind since its last drop of the pity's rarity or rarer, at most
	// Pity.After; 0 without a pity rule.
	Without int64
	// Given is how many units of each capped item the openings of the kind before have given.
	Given map[string]int64
}

// Outcome is what an opening contains.
type Outcome struct {
	Picked  Drop // by its weight
	Drop    Drop // what the opening gives: Picked, or its substitute
	Pitied  bool // drawn among the pity's drops alone
	Instead bool // a capped item of Picked has run out
	Tokens  []NewToken
}

// NewToken is the drawn token of a grant that has variants.
type NewToken struct {
	Variant Variant
	ID      string // decimal
}

// Draw returns the outcome: a number below the weights' sum picks among the eligible drops, in the table's order. Then a variant
// and a number within its series are drawn for each new token. The table must be valid.
func (t Table) Draw(w *Words, before Luck) Outcome {
	out := Outcome{Pitied: t.Pity != nil && before.Without >= int64(t.Pity.After)}
	eligible := slices.DeleteFunc(slices.Clone(t.Drops), func(d Drop) bool { return out.Pitied && !t.Consoles(d) })
	out.Picked = pick(w, eligible, func(d Drop) int64 { return d.Weight })
	out.Drop = out.Picked
	if t.RunOut(out.Picked, before.Given) {
		out.Drop, out.Instead = *t.drop(out.Picked.Substitute), true
	}
	for _, g := range out.Drop.Gives {
		if len(g.Variants) > 0 {
			v := pick(w, g.Variants, func(v Variant) int64 { return v.Weight })
			out.Tokens = append(out.Tokens, NewToken{v, series.ID(v.Series, w.Below(series.Size))})
		}
	}
	return out
}

// RunOut reports whether fewer units than a drop gives are left of a capped item, given what the openings before have given.
func (t Table) RunOut(d Drop, given map[string]int64) bool {
	return slices.ContainsFunc(t.Caps, func(c Cap) bool {
		units := d.Units(c.Item)
		return units > 0 && given[c.Item]+units > c.Most
	})
}

// pick draws one of several by their weights, in their order.
func pick[T any](w *Words, among []T, weight func(T) int64) T {
	sum := int64(0)
	for _, one := range among {
		sum += weight(one)
	}
	n := int64(w.Below(uint64(sum)))
	for _, one := range among {
		if n < weight(one) {
			return one
		}
		n -= weight(one)
	}
	panic("draw: a number above the sum of the weights")
}

// Consoles reports whether a drop ends the wallet's run without luck.
func (t Table) Consoles(d Drop) bool { return t.Pity != nil && d.Rarity.Rank() >= t.Pity.Rarity.Rank() }

const (
	// maxAmount bounds weights, caps and amounts.
	maxAmount = 1_000_000_000_000
	// maxCount is the largest integer that JavaScript's numbers hold exactly together with all smaller ones.
	maxCount = 1<<53 - 1
	// maxEdition bounds editions, and the openings after which a pity rule helps.
	maxEdition = 1_000_000
	// The most of a list in a table.
	maxDrops, maxGrants, maxVariants = 1000, 16, 64
	// maxID and maxName are the longest ids and names, in characters.
	maxID, maxName = 64, 200
)

// idPattern is what kinds and ids look like. They begin with a letter, so that JavaScript keeps the order of objects that
// have them as keys.
var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func isID(text string) bool { return len(text) <= maxID && idPattern.MatchString(text) }

// isTokenID reports whether a text is a decimal uint256 without leading zeros.
func isTokenID(text string) bool {
	odd := strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if text == "" || odd || len(text) > 78 || text[0] == '0' && text != "0" {
		return false
	}
	n, ok := new(big.Int).SetString(text, 10)
	return ok && n.BitLen() <= 256
}

// isName reports whether a text can be a name: letters of Latin and common punctuation only, because what else is printable
// differs between implementations of Unicode.
func isName(text string) bool {
	length := 0
	for _, r := range text {
		length++
		if (r < 0x20 || r > 0x7e) && (r < 0xa1 || r > 0x24f) && (r < 0x2010 || r > 0x2027) {
			return false
		}
	}
	return length > 0 && length <= maxName && text[0] != ' ' && text[len(text)-1] != ' '
}

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

// report records what is wrong with a field.
type report func(why string, path ...any)

// under returns a report of the fields below a path.
func (bad report) under(path ...any) report {
	return func(why string, rest ...any) { bad(why, slices.Concat(path, rest)...) }
}

// Validate returns every rule that the table breaks, by field.
func (t Table) Validate() error {
	var faults []error
	for _, f := range t.faults() {
		faults = append(faults, fmt.Errorf("%s %d: %s", t.Kind, t.Edition, f))
	}
	return errors.Join(faults...)
}

func (t Table) faults() (faults []fault) {
	var bad report = func(why string, path ...any) { faults = append(faults, fault{path, why}) }
	if !isID(t.Kind) {
		bad("is missing or malformed", "kind")
	}
	if t.Edition < 1 || t.Edition > maxEdition {
		bad("must be from 1 to 1000000", "edition")
	}
	if t.Token != "" && !isTokenID(t.Token) {
		bad("is no token id", "token")
	}
	t.checkPity(bad)
	t.checkCaps(bad)
	if len(t.Drops) > maxDrops {
		bad("has more than 1000 entries", "drops")
		return faults
	}
	sum, seen, capped := int64(0), map[string]bool{}, t.capped()
	for i, d := range t.Drops {
		bad := bad.under("drops", i)
		checkEntry(bad, seen, d.ID, d.Name, d.Rarity, d.Weight)
		sum += min(max(d.Weight, 0), maxAmount)
		t.checkSubstitute(bad, d, capped)
		if len(d.Gives) == 0 || len(d.Gives) > maxGrants {
			bad("must have from 1 to 16 parts", "gives")
		}
		for j, g := range d.Gives {
			g.check(bad.under("gives", j), d.Rarity)
		}
	}
	if sum != t.Total || sum == 0 || sum > maxCount {
		bad(fmt.Sprintf("is %d, but the weights add up to %d", t.Total, sum), "total")
	}
	t.checkSeries(bad, t.meanings(), "another part")
	return faults
}

// checkEntry checks what drops and variants have in common.
func checkEntry(bad report, seen map[string]bool, id, name string, r rarity.Rarity, weight int64) {
	switch {
	case !isID(id):
		bad(fmt.Sprintf("%q is malformed", id), "id")
	case seen[id]:
		bad(fmt.Sprintf("%q is there twice", id), "id")
	}
	seen[id] = true
	if !isName(name) {
		bad("is missing, too long, or has characters that names cannot have", "name")
	}
	if r.Rank() < 0 {
		bad(fmt.Sprintf("%q is no rarity", r), "rarity")
	}
	if weight < 1 || weight > maxAmount {
		bad("must be from 1 to 10^12", "weight")
	}
}

func (t Table) checkPity(bad report) {
	switch {
	case t.Pity == nil:
		return
	case t.Token == "":
		bad("is for packs that are burned: a purchase has no wallet whose openings count", "pity")
	case t.Pity.Rarity.Rank() < 0:
		bad(fmt.Sprintf("%q is no rarity", t.Pity.Rarity), "pity", "rarity")
	case !slices.ContainsFunc(t.Drops, t.Consoles):
		bad(fmt.Sprintf("no drop is %s or rarer", t.Pity.Rarity), "pity")
	}
	if t.Pity.After < 1 || t.Pity.After > maxEdition {
		bad("must be from 1 to 1000000", "pity", "after")
	}
}

func (t Table) checkCaps(bad report) {
	given := map[string]bool{} // by item: a table can cap thousands
	t.eachGrant(func(g Grant, _ ...any) { given[g.Item()] = g.Item() != "" })
	for i, c := range t.Caps {
		bad := bad.under("caps", i)
		switch {
		case i > 0 && c.Item <= t.Caps[i-1].Item:
			bad("must follow the one before in alphabetical order", "item")
		case !given[c.Item]:
			bad(fmt.Sprintf("no drop gives %q", c.Item), "item")
		}
		if c.Most < 1 || c.Most > maxAmount {
			bad("must be from 1 to 10^12", "most")
		}
	}
}

// capped returns what reports whether a drop gives a capped item.
func (t Table) capped() func(Drop) bool {
	items := map[string]bool{}
	for _, c := range t.Caps {
		items[c.Item] = c.Item != ""
	}
	return func(d Drop) bool { return slices.ContainsFunc(d.Gives, func(g Grant) bool { return items[g.Item()] }) }
}

func (t Table) checkSubstitute(bad report, d Drop, capped func(Drop) bool) {
	s := t.drop(d.Substitute)
	switch {
	case !capped(d) && d.Substitute != "":
		bad("is for drops that give a capped item", "substitute")
	case !capped(d):
	case s == nil || capped(*s):
		bad("must be a drop of the table that gives no capped item", "substitute")
	case t.Consoles(d) && !t.Consoles(*s):
		bad(fmt.Sprintf("must be %s or rarer, for the pity's sake", t.Pity.Rarity), "substitute")
	}
}

func (g Grant) check(bad report, least rarity.Rarity) {
	switch {
	case (g.Collection == "") == (g.Currency == ""):
		bad("gives either a token or a currency")
	case g.Currency != "" && g.Token != "":
		bad("a currency has no tokens", "token")
	case g.Collection != "" && !isID(g.Collection):
		bad("is malformed", "collection")
	case g.Currency != "" && !isID(g.Currency):
		bad("is malformed", "currency")
	case g.Token != "" && !isTokenID(g.Token):
		bad("is malformed", "token")
	case g.Amount < 1 || g.Amount > maxAmount:
		bad("must be from 1 to 10^12", "amount")
	case g.Collection != "" && g.Token == "":
		g.checkVariants(bad, least)
	case g.Total != 0 || len(g.Variants) > 0:
		bad("are for new tokens", "variants")
	}
}

func (g Grant) checkVariants(bad report, least rarity.Rarity) {
	if g.Amount != 1 {
		bad("must be 1 for a new token", "amount")
	}
	if len(g.Variants) == 0 || len(g.Variants) > maxVariants {
		bad("must say what the new token can be, with 1 to 64 entries", "variants")
		return
	}
	sum, seen, numbers := int64(0), map[string]bool{}, map[int64]bool{}
	for i, v := range g.Variants {
		bad := bad.under("variants", i)
		checkEntry(bad, seen, v.ID, v.Name, v.Rarity, v.Weight)
		sum += min(max(v.Weight, 0), maxAmount)
		if v.Rarity.Rank() < least.Rank() {
			bad(fmt.Sprintf("must be %s, as the drop, or rarer", least), "rarity")
		}
		if v.Series < 1 || v.Series > series.Max || numbers[v.Series] {
			bad("must be from 1 to 899, and another one for each variant", "series")
		}
		numbers[v.Series] = true
	}
	if sum != g.Total {
		bad(fmt.Sprintf("is %d, but the variants' weights add up to %d", g.Total, sum), "total")
	}
}

// A serial is a series of a collection; a meaning is what its tokens are.
type (
	serial struct {
		collection string
		series     int64
	}
	meaning struct {
		id, name string
		rarity   rarity.Rarity
	}
)

// meanings returns what the table says of each series that it draws from.
func (t Table) meanings() map[serial]meaning {
	known := map[serial]meaning{}
	t.eachGrant(func(g Grant, _ ...any) {
		for _, v := range g.Variants {
			if s := (serial{g.Collection, v.Series}); known[s] == (meaning{}) {
				known[s] = meaning{v.ID, v.Name, v.Rarity}
			}
		}
	})
	return known
}

// checkSeries checks that each series means what is known of it from elsewhere.
func (t Table) checkSeries(bad report, known map[serial]meaning, where string) {
	t.eachGrant(func(g Grant, path ...any) {
		for i, v := range g.Variants {
			if m, ok := known[serial{g.Collection, v.Series}]; ok && m != (meaning{v.ID, v.Name, v.Rarity}) {
				bad(fmt.Sprintf("%d of %s is %q, %s, in %s, and what an id means never changes", v.Series, g.Collection, m.name, m.rarity, where),
					append(path, "variants", i, "series")...)
			}
		}
	})
}

// ParseTable reads a canonical table. It refuses any other text, however similar, because the hash is of the text.
func ParseTable(text []byte) (Table, error) {
	var t Table
	if err := parse(text, &t); err != nil {
		return t, fmt.Errorf("this is no drop table: %w", err)
	}
	if err := t.Validate(); err != nil {
		return t, err
	}
	if !bytes.Equal(t.Canonical(), text) {
		return t, errors.New("this is no drop table in its canonical form")
	}
	return t, nil
}

// parse decodes JSON strictly.
func parse(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
