package draw_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/draw"
	"pantheon/internal/testkit/jsontext"
)

var (
	fuzzSeed  = flag.Uint64("fuzz.receipts.seed", 0, "the seed of the mutated receipts; random if it is 0")
	fuzzCases = flag.Int("fuzz.receipts.cases", 0, "how many receipts are mutated; 0 for as many as usual")
)

// Right receipts are changed in one to three places, and often made to fit again: totals, what came before, round, signature, outcome
// and digest. Both implementations have to find the same. A receipt that they judge differently belongs to the hostile ones of
// internal/portal/draw/hostile_test.go.
// Spec: DRAW-4
func TestReceipts_MutatedOnesAreJudgedAlike(t *testing.T) {
	seed, cases := *fuzzSeed, 200_000
	if seed == 0 {
		seed = rand.Uint64()
	}
	if testing.Short() {
		cases = 2000
	}
	if *fuzzCases > 0 {
		cases = *fuzzCases
	}
	t.Logf("seed %d", seed)
	const batch = 500
	s, server, counts := newSite(t), newServer(), map[string]int{}
	seeds := shared(t)
	for begin := 0; begin < cases; begin += batch {
		var texts []string
		var own []verdict
		for i := begin; i < begin+batch; i++ { // each case by itself, so that one can be repeated
			m := &mutator{rng: rand.New(rand.NewPCG(seed, uint64(i))), server: server, seeds: seeds}
			text, isRight := m.receipt(t)
			found := server.judge(text)
			if isRight && found.name != "right" {
				t.Fatalf("case %d: %s, but it should be right\n%s", i, found, text)
			}
			if !utf8.ValidString(text) { // the site gets strings
				if found.name == "right" {
					t.Fatalf("case %d: a text that is no UTF-8 is right\n%q", i, text)
				}
				text = strings.ToValidUTF8(text, "�")
				found = server.judge(text)
			}
			texts, own = append(texts, text), append(own, found)
		}
		found, err := s.judge(texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			counts[own[i].name]++
			if !own[i].agrees(found[i].Verdict) {
				t.Errorf("case %d of seed %d: the server finds %q, the site %s: %s\n%s",
					begin+i, seed, own[i], found[i].Verdict, found[i].Reason, text)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d right, %d with another outcome, %d refused", counts["right"], counts["outcome"], counts["refused"])
	if counts["right"] < cases/5 || counts["outcome"] < cases/300 || counts["refused"] < cases/5 {
		t.Error("the mutations are too tame, or too wild")
	}
}

// shared returns the receipts of testdata that are right, by file.
func shared(t *testing.T) [][]string {
	t.Helper()
	seeds := [][]string{testdata[string](t, "receipts.json"), testdata[string](t, "purchases.json")}
	for _, file := range hostileFiles {
		var unusual []string
		for _, h := range testdata[hostile](t, file) {
			if !h.Error {
				unusual = append(unusual, h.Text)
			}
		}
		seeds = append(seeds, unusual)
	}
	return seeds
}

// verdict is what the server's implementation finds, in the words of finding.
type verdict struct{ name, reason string }

func (v verdict) String() string { return v.name + ": " + v.reason }

// agrees reports whether the site may have found that. It checks first whether the outcome can be that of any draw, so that it need not
// come to other faults.
func (v verdict) agrees(site string) bool {
	return site == v.name || site == "malformed" && (v.name == "outcome" || v.name == "refused")
}

// server is the server's implementation, which remembers the signatures that it made and checked.
type server struct {
	rounds  map[uint64]draw.ReceiptBeacon
	checked map[string]checked
}

type checked struct {
	randomness [32]byte
	err        error
}

func newServer() *server { return &server{map[uint64]draw.ReceiptBeacon{}, map[string]checked{}} }

func (s *server) judge(text string) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{"crash", fmt.Sprint(r)}
		}
	}()
	switch _, err := draw.Verify([]byte(text), s.verify); {
	case err == nil:
		return verdict{"right", ""}
	case strings.HasPrefix(err.Error(), "the draw gives"):
		return verdict{"outcome", err.Error()}
	default:
		return verdict{"refused", err.Error()}
	}
}

func (s *server) verify(key []byte, round uint64, signature []byte) ([32]byte, error) {
	name := fmt.Sprintf("%x %d %x", key, round, signature)
	c, ok := s.checked[name]
	if !ok {
		c.randomness, c.err = beacon.VerifyRound(key, round, signature)
		s.checked[name] = c
	}
	return c.randomness, c.err
}

// round describes a round of the tests' beacon.
func (s *server) round(t testing.TB, round uint64) draw.ReceiptBeacon {
	known, ok := s.rounds[round]
	if !ok {
		known, _ = described(t, round)
		s.rounds[round] = known
	}
	return known
}

// mutator makes one receipt.
type mutator struct {
	rng            *rand.Rand
	server         *server
	seeds          [][]string
	receipts, tree *jsontext.Value // the receipt, and the table in it
}

// oneOf returns one of several.
func oneOf[T any](m *mutator, of ...T) T { return of[m.rng.IntN(len(of))] }

// in reports true once in n times.
func (m *mutator) in(n int) bool { return m.rng.IntN(n) == 0 }

// receipt returns a receipt, and whether it is right for sure.
func (m *mutator) receipt(t testing.TB) (text string, isRight bool) {
	seed := oneOf(m, oneOf(m, m.seeds...)...)
	if m.in(2) {
		seed = m.right(t)
		if m.in(4) {
			return seed, true
		}
	}
	m.parse(t, seed)
	for range oneOf(m, 1, 1, 1, 2, 3) {
		root := oneOf(m, m.receipts, m.tree, m.tree)
		if m.in(3) {
			m.sensible()
		} else {
			m.mutate(root)
		}
	}
	if !m.in(4) {
		m.fit(t)
	}
	text = m.text()
	if m.in(8) {
		text = m.bytes(text)
		if m.in(2) {
			text = sealed(text)
		}
	}
	return text, false
}

// parse reads a receipt and its table.
func (m *mutator) parse(t testing.TB, text string) {
	t.Helper()
	var err error
	if m.receipts, err = jsontext.Parse(text); err != nil {
		t.Fatal(err)
	}
	var table string
	if err = json.Unmarshal([]byte(m.receipts.At("table").Text), &table); err == nil {
		m.tree, err = jsontext.Parse(table)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// text returns the receipt with its table and, mostly, the digest that it has to have.
func (m *mutator) text() string {
	// The table's own text may be mutated: its quotation marks are escaped, whatever is between them.
	if table := m.receipts.At("table"); table != nil && table.Text != "null" {
		table.Text = jsontext.Quote(m.tree.String())
	}
	if text := m.receipts.String(); !m.in(20) {
		return sealed(text)
	}
	return m.receipts.String()
}

// sealed is a receipt's text with the digest that it has to have. A text that has no place for it stays.
func sealed(text string) string {
	const field = `"digest":"`
	i := strings.LastIndex(text, field)
	if i < 0 {
		return text
	}
	i += len(field)
	end := strings.IndexByte(text[i:], '"')
	if end < 0 {
		return text
	}
	return text[:i] + fmt.Sprintf("%x", sha256.Sum256([]byte(text[:i]+text[i+end:]))) + text[i+end:]
}

// A place is a value in its object or array.
type place struct {
	in *jsontext.Value
	i  int
}

func places(v *jsontext.Value) (all []place) {
	v.Walk(func(_ string, v *jsontext.Value) {
		for i := range v.Items {
			all = append(all, place{v, i})
		}
	})
	return all
}

// mutate changes a tree in one place.
func (m *mutator) mutate(root *jsontext.Value) {
	all := places(root)
	if len(all) == 0 {
		return
	}
	p := oneOf(m, all...)
	in, isObject := p.in, p.in.Text == "{"
	v := in.Items[p.i]
	insert := func(i int, key string, v *jsontext.Value) {
		if in.Items = slices.Insert(in.Items, i, v); isObject {
			in.Keys = slices.Insert(in.Keys, i, key)
		}
	}
	remove := func(i int) {
		if in.Items = slices.Delete(in.Items, i, i+1); isObject {
			in.Keys = slices.Delete(in.Keys, i, i+1)
		}
	}
	key := ""
	if isObject {
		key = in.Keys[p.i]
	}
	switch m.rng.IntN(14) {
	case 0: // less
		remove(p.i)
	case 1: // twice
		insert(m.rng.IntN(len(in.Items)+1), key, v.Clone())
	case 2: // in another order
		j := m.rng.IntN(len(in.Items))
		in.Items[p.i], in.Items[j] = in.Items[j], v
		if isObject {
			in.Keys[p.i], in.Keys[j] = in.Keys[j], in.Keys[p.i]
		}
	case 3: // by another name
		if isObject {
			in.Keys[p.i] = m.key(root)
		}
	case 4: // one more
		insert(m.rng.IntN(len(in.Items)+1), m.key(root), m.value(root))
	case 5: // something else
		in.Items[p.i] = m.value(root)
	case 6: // what is in the same place of another receipt
		other := &mutator{rng: m.rng}
		if parsed, err := jsontext.Parse(oneOf(m, oneOf(m, m.seeds...)...)); err == nil {
			other.receipts = parsed
			if q := oneOf(m, places(parsed)...); q.in.Text == in.Text {
				in.Items[p.i] = q.in.Items[q.i].Clone()
			}
		}
	default:
		if v.Text == "{" || v.Text == "[" {
			m.mutate(v)
			return
		}
		in.Items[p.i] = &jsontext.Value{Text: m.scalar(v.Text)}
	}
}

// key returns a key: mostly one of the tree.
func (m *mutator) key(root *jsontext.Value) string {
	if m.in(5) {
		return `"` + oneOf(m, strings.Fields(`x __proto__ constructor toString Version 7 \u0078 token pity caps substitute total variants
			currency collection burn purchase nonce margin`)...) + `"`
	}
	var keys []string
	root.Walk(func(_ string, v *jsontext.Value) { keys = append(keys, v.Keys...) })
	key := oneOf(m, append(keys, `"x"`)...)
	if m.in(4) {
		key = m.scalar(key)
	}
	return key
}

// value returns a value: one of the tree, or one of another type.
func (m *mutator) value(root *jsontext.Value) *jsontext.Value {
	if all := places(root); len(all) > 0 && m.in(2) {
		p := oneOf(m, all...)
		return p.in.Items[p.i].Clone()
	}
	return &jsontext.Value{Text: oneOf(m, "null", "true", "false", "[", "{", `""`, `"a"`, "0", "1", `"0"`, "-1", "1.5")}
}

var (
	// numbers are at the bounds of something, or spelled as writers do not.
	numbers = strings.Fields(`0 1 2 3 -1 -0 00 01 0.0 1.0 1e0 1E0 0.5 1e3 1e400 -1e400 16 17 64 65 200 201 899 900 1000 1001 86400 86401
		604800 604801 1000000 1000001 1000000000000 1000000000001 253402300799 253402300800 9007199254740990 9007199254740991
		9007199254740992 9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 18446744073709551615
		18446744073709551616 1e1000 NaN Infinity 0x1 1_000`)
	// words are right in some place.
	words = strings.Fields(`common uncommon rare epic legendary mythic contract wallet a a-1 0 3 bls-unchained-g1-rfc9380`)
	// chunks are put into strings.
	chunks = []string{
		`\u0000`, `\ud800`, `\udc00`, `\ud83d\ude00`, `\u0041`, `\u00e9`, `\/`, `\"`, `\\`, `\b`, `\n`, `\u000a`, `\u003c`, `\x`,
		"\u200b", "\u2028", "\u2029", "\u00a0", "\u00ad", "é", "e\u0301", "ß", "ẞ", "ÿ", "ɏ", "ɐ", "‐", "‧", "…", "😀", "\ufeff", "\ufffd",
		"\U00010d4a", "\ua7db", "А", "α", "頭", "ﬁ",
		"Ａ", "１",
		"'", "<", "&", "A", "a", "-", "--", "_", "/", " ", "0", "1", "g", "0x", ".", "\t", "\x7f", "\u0080", "~", "!",
	}
)

// scalar changes a number, a string or a word.
func (m *mutator) scalar(text string) string {
	if !strings.HasPrefix(text, `"`) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || m.in(3) {
			return oneOf(m, append(numbers, "true", "false", "null", `"`+text+`"`)...)
		}
		return oneOf(m, strconv.FormatInt(n+1, 10), strconv.FormatInt(n-1, 10), strconv.FormatInt(n*10, 10), strconv.FormatInt(n/2, 10),
			strconv.FormatInt(n^1<<m.rng.IntN(53), 10), text+".0", text+"e0", "0"+text, `"`+text+`"`, "-"+text, text+"0")
	}
	inner := []rune(strings.Trim(text, `"`))
	at := m.rng.IntN(len(inner) + 1)
	cut := func(n int) string { return string(inner[:max(0, min(len(inner), n))]) }
	switch m.rng.IntN(10) {
	case 0, 1:
		return `"` + cut(at) + oneOf(m, chunks...) + string(inner[at:]) + `"`
	case 2:
		return `"` + cut(len(inner)-1) + `"`
	case 3:
		return `"` + cut(at) + `"`
	case 4:
		return strings.ToUpper(text)
	case 5:
		return `"` + strings.Repeat(string(inner), oneOf(m, 2, 2, 7, 70)) + `"`
	case 6:
		if at < len(inner) {
			inner[at] = oneOf(m, []rune("0123456789abcdefABCDEFgxyz-_ éÿɏɐ’\u200b")...)
		}
		return `"` + string(inner) + `"`
	case 7:
		if at < len(inner) {
			return `"` + cut(at) + fmt.Sprintf(`\u%04x`, inner[at]&0xffff) + string(inner[at+1:]) + `"`
		}
		return `""`
	case 8:
		return `"` + oneOf(m, append(words, most256, more256, "", strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("0", 96),
			"c0"+strings.Repeat("0", 94), "c0"+strings.Repeat("0", 190), "0x"+strings.Repeat("0", 64), "0x"+strings.Repeat("0", 40))...) + `"`
	default: // another string of the tree
		var strs []string
		oneOf(m, m.receipts, m.tree).Walk(func(_ string, v *jsontext.Value) {
			if strings.HasPrefix(v.Text, `"`) && len(v.Text) < 300 {
				strs = append(strs, v.Text)
			}
		})
		return oneOf(m, append(strs, text)...)
	}
}

// bytes changes a text without regard to what is in it.
func (m *mutator) bytes(text string) string {
	b := []byte(text)
	if len(b) == 0 {
		return " "
	}
	i := m.rng.IntN(len(b))
	j := min(len(b), i+1+m.rng.IntN(8))
	switch m.rng.IntN(7) {
	case 0:
		b[i] ^= 1 << m.rng.IntN(8)
	case 1:
		b = slices.Delete(b, i, j)
	case 2:
		b = slices.Insert(b, i, b[i:j]...)
	case 3:
		b = slices.Insert(b, i, []byte(oneOf(m, chunks...))...)
	case 4:
		more := oneOf(m, " ", "\n", "\t", ",", ":", "{", "}", "[", "]", `"`, `\`, "\xff", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80")
		b = slices.Insert(b, i, []byte(more)...)
	case 5:
		b = append(b, oneOf(m, " ", "\n", "{}", "\x00", string(b))...)
	default:
		b = b[:i]
	}
	return string(b)
}

// sensible changes what a field means and not how it is written.
func (m *mutator) sensible() {
	set := func(root *jsontext.Value, text string, path ...any) {
		if v := root.At(path...); v != nil {
			*v = jsontext.Value{Text: text}
		}
	}
	number := func(n int) string { return strconv.Itoa(m.rng.IntN(n)) }
	drops := m.tree.At("drops")
	drop := 0
	if drops != nil && len(drops.Items) > 0 {
		drop = m.rng.IntN(len(drops.Items))
	}
	// A string with a change.
	change := func(path ...any) {
		if v := m.tree.At(path...); v != nil && strings.HasPrefix(v.Text, `"`) {
			v.Text = m.scalar(v.Text)
		}
	}
	part := []any{"drops", drop, "gives", m.rng.IntN(3)}
	variant := append(slices.Clone(part), "variants", m.rng.IntN(3))
	switch m.rng.IntN(28) {
	case 0:
		set(m.tree, number(100), "drops", drop, "weight")
	case 1:
		set(m.tree, `"`+string(oneOf(m, rarity.All()...))+`"`, "drops", drop, "rarity")
	case 2:
		set(m.tree, number(20), "pity", "after")
	case 3:
		set(m.tree, `"`+string(oneOf(m, rarity.All()...))+`"`, "pity", "rarity")
	case 4:
		set(m.tree, number(30), "caps", 0, "most")
	case 5:
		set(m.tree, number(30), append(part, "amount")...)
	case 6:
		set(m.tree, number(1000), append(variant, "series")...)
	case 7:
		set(m.tree, number(1000), append(variant, "weight")...)
	case 8:
		set(m.receipts, number(20), "before", "without")
	case 9:
		if given := m.receipts.At("before", "given"); given != nil && len(given.Items) > 0 {
			given.Items[m.rng.IntN(len(given.Items))] = &jsontext.Value{Text: number(20)}
		}
	case 10:
		set(m.receipts, oneOf(m, `"contract"`, `"wallet"`), "fixed", "by")
	case 11:
		set(m.receipts, number(300), "fixed", oneOf[any](m, "block", "chainId"))
	case 12:
		for _, of := range [][]any{{"burn", "blockTime"}, {"purchase", "recordedAt"}, {"purchase", "anchor", "blockTime"}} {
			if v := m.receipts.At(of...); v != nil && !m.in(3) {
				set(m.receipts, v.Text, "fixed", "blockTime")
			}
		}
	case 13:
		set(m.receipts, number(604801), oneOf(m, []any{"burn", "margin"}, []any{"purchase", "anchor", "margin"})...)
	case 14:
		set(m.receipts, number(90000), "beacon", "period")
	case 15, 16:
		change("drops", drop, "name")
	case 17:
		change(append(variant, "name")...)
	case 18:
		change("drops", drop, "id")
	case 19:
		change(append(variant, oneOf[any](m, "id", "rarity"))...)
	case 20:
		change(append(part, oneOf[any](m, "currency", "collection", "token"))...)
	case 21:
		change(oneOf(m, []any{"kind"}, []any{"token"}, []any{"caps", 0, "item"}, []any{"drops", drop, "substitute"})...)
	case 22:
		if drops != nil && len(drops.Items) > 0 {
			if id := oneOf(m, drops.Items...).At("id"); id != nil {
				set(m.tree, id.Text, "drops", drop, "substitute")
			}
		}
	case 23: // at the end of 256 bits
		set(m.tree, `"`+oneOf(m, most256, more256, strings.Repeat("9", 78))+`"`, oneOf(m, []any{"token"}, append(part, "token"))...)
	case 24, 25:
		if v := m.receipts.At("beacon", oneOf[any](m, "signature", "signature", "publicKey")); v != nil {
			v.Text = m.point(v.Text)
		}
	case 26: // what another drop gives
		if drops != nil && len(drops.Items) > 0 {
			from, to := oneOf(m, drops.Items...).At("gives"), oneOf(m, drops.Items...).At("gives")
			if from != nil && to != nil && to.Text == "[" && len(from.Items) > 0 {
				to.Items = append(to.Items, oneOf(m, from.Items...).Clone())
			}
		}
	default:
		field := oneOf[any](m, "logIndex", "number", "order", "line", "unit", "record", "block", "chainId")
		set(m.receipts, number(1000), oneOf(m, []any{"burn", field}, []any{"purchase", field}, []any{"purchase", "anchor", field})...)
	}
}

// The largest token id, and one more.
const (
	most256 = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	more256 = "115792089237316195423570985008687907853269984665640564039457584007913129639936"
)

// point changes the flags of a compressed point, or writes one of its coordinates with the field's modulus added.
func (m *mutator) point(text string) string {
	b, err := hex.DecodeString(strings.Trim(text, `"`))
	if err != nil || len(b) < 48 {
		return text
	}
	if m.in(3) {
		b[0] ^= byte(oneOf(m, 0x20, 0x40, 0x80, 0xa0))
	} else {
		coordinate, flags := b[len(b)-48:], byte(0)
		if len(b) == 48 || m.in(2) {
			coordinate, flags = b[:48], b[0]&0xe0
			b[0] &= 0x1f
		}
		more := new(big.Int).Add(new(big.Int).SetBytes(coordinate), fp.Modulus())
		more.FillBytes(coordinate) // it has 382 bits at most
		b[0] |= flags
	}
	return `"` + hex.EncodeToString(b) + `"`
}

// fit makes a receipt right again, as far as that can be done: often its totals and counts, and mostly its draw.
func (m *mutator) fit(t testing.TB) {
	set := func(root *jsontext.Value, value any, path ...any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jsontext.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if v := root.At(path...); v != nil {
			*v = *parsed
		}
	}
	var table draw.Table
	if json.Unmarshal([]byte(m.tree.String()), &table) != nil {
		return
	}
	if !m.in(4) {
		table.Total = 0
		for i, d := range table.Drops {
			table.Total += d.Weight
			for j, g := range d.Gives {
				sum := int64(0)
				for _, v := range g.Variants {
					sum += v.Weight
				}
				set(m.tree, sum, "drops", i, "gives", j, "total")
				table.Drops[i].Gives[j].Total = sum
			}
		}
		set(m.tree, table.Total, "total")
	}
	if token := m.tree.At("token"); token != nil && !m.in(4) {
		set(m.receipts, json.RawMessage(token.Text), "burn", "token")
	}
	var r draw.Receipt
	if json.Unmarshal([]byte(m.receipts.String()), &r) != nil {
		return
	}
	if !m.in(4) {
		r.Before = draw.ReceiptLuck(table.LuckOf(draw.Luck(r.Before)))
		set(m.receipts, r.Before, "before")
	}
	origin, _ := r.Origin()
	if origin == nil {
		return
	}
	var at, margin int64 // of the block that decides
	if r.Burn != nil {
		at, margin = r.Burn.BlockTime, r.Burn.Margin
	} else {
		at, margin = r.Purchase.Anchor.BlockTime, r.Purchase.Anchor.Margin
	}
	b := r.Beacon
	if most := int64(1 << 53); b.Period > 0 && b.Period < most && b.Genesis < most && at < most && margin < most {
		s := draw.Schedule{Genesis: time.Unix(b.Genesis, 0), Period: time.Duration(b.Period) * time.Second}
		if b.Period > 86400 {
			s.Period = 86400 * time.Second
		}
		b.Round = s.RoundAfter(time.Unix(at, 0), time.Duration(min(margin, 604800))*time.Second)
		set(m.receipts, b.Round, "beacon", "round")
		if b.PublicKey == hex.EncodeToString(signer.PublicKey().Bytes()) && !m.in(6) {
			b.Signature = m.server.round(t, b.Round).Signature
			set(m.receipts, b.Signature, "beacon", "signature")
		}
	}
	signature, err := hex.DecodeString(b.Signature)
	if err != nil {
		return
	}
	defer func() { _ = recover() }() // tables that are none cannot be drawn from
	out := table.Draw(draw.NewWords(sha256.Sum256(signature), origin, sha256.Sum256([]byte(m.tree.String()))), draw.Luck(r.Before))
	if !m.in(6) {
		set(m.receipts, draw.OutcomeOf(out), "outcome")
	}
}

// right returns a receipt by a table that is made up.
func (m *mutator) right(t testing.TB) string {
	table := m.table()
	if err := table.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, table.Canonical())
	}
	// Few times, because each round is signed and checked.
	at, margin := time.Unix(1772366400+int64(m.rng.IntN(20)), 0), time.Duration(oneOf(m, 0, 0, 30, 604800))*time.Second
	r := opened(m.rng.Uint64N(1<<oneOf(m, 3, 20, 32)), table, at, margin)
	if r.Burn != nil && m.in(4) {
		r.Burn.LogIndex, r.Burn.Number = m.rng.Uint64N(1<<53), m.rng.Uint64N(1<<53)
	}
	if r.Purchase != nil && m.in(4) {
		r.Purchase.Order, r.Purchase.Line, r.Purchase.Shop = m.rng.Uint64N(1<<53), m.rng.Uint64N(1<<53), m.id(32)
	}
	before := draw.Luck{Given: map[string]int64{}}
	if table.Pity != nil {
		before.Without = oneOf(m, 0, int64(table.Pity.After), m.rng.Int64N(int64(table.Pity.After)+1))
	}
	for _, c := range table.Caps {
		before.Given[c.Item] = oneOf(m, 0, c.Most, max(0, c.Most-m.rng.Int64N(5)), m.rng.Int64N(1<<53))
	}
	known := m.server.round(t, schedule.RoundAfter(at, margin))
	signature, err := hex.DecodeString(known.Signature)
	if err != nil {
		t.Fatal(err)
	}
	origin, _ := r.Origin()
	out := table.Draw(draw.NewWords(sha256.Sum256(signature), origin, table.Hash()), before)
	r.Beacon, r.Before, r.Outcome = known, draw.ReceiptLuck(before), draw.OutcomeOf(out)
	return string(r.Encode())
}

// table returns a right table.
func (m *mutator) table() draw.Table {
	t := draw.Table{Kind: m.id(64), Edition: 1 + m.rng.IntN(oneOf(m, 3, 1_000_000))}
	if !m.in(3) {
		t.Token = oneOf(m, "0", "3", "9007199254740993", most256)
	}
	n := 1 + m.rng.IntN(5)
	if m.in(500) {
		n = 999
	}
	for i := range n {
		d := draw.Drop{ID: m.id(50) + "-" + strconv.Itoa(i), Name: m.name(), Rarity: oneOf(m, rarity.All()...), Weight: m.weight()}
		parts := 1 + m.rng.IntN(3)
		if m.in(50) {
			parts = 16
		}
		for range parts {
			d.Gives = append(d.Gives, m.grant(d.Rarity))
		}
		t.Drops = append(t.Drops, d)
	}
	last := draw.Drop{ID: "zz", Name: "Z", Rarity: "mythic", Weight: m.weight(), Gives: []draw.Grant{{Currency: "c", Amount: 1}}}
	t.Drops = append(t.Drops, last)
	for _, d := range t.Drops {
		t.Total += d.Weight
	}
	if t.Token != "" && m.in(2) {
		t.Pity = &draw.Pity{After: 1 + m.rng.IntN(oneOf(m, 1, 10, 1_000_000)), Rarity: oneOf(m, t.Drops...).Rarity}
	}
	if m.in(2) {
		m.caps(&t)
	}
	return t
}

// caps limits some of what the drops of a table give, and has the last for a substitute.
func (m *mutator) caps(t *draw.Table) {
	most := map[string]int64{}
	for _, d := range t.Drops {
		for _, g := range d.Gives {
			if item := g.Item(); item != "" && m.in(3) {
				most[item] = 1 + m.rng.Int64N(oneOf[int64](m, 3, 100, 1e12))
			}
		}
	}
	for item, most := range most {
		t.Caps = append(t.Caps, draw.Cap{Item: item, Most: most})
	}
	slices.SortFunc(t.Caps, func(a, b draw.Cap) int { return strings.Compare(a.Item, b.Item) })
	for i, d := range t.Drops {
		if slices.ContainsFunc(t.Caps, func(c draw.Cap) bool { return d.Units(c.Item) > 0 }) {
			t.Drops[i].Substitute = "zz"
		}
	}
}

// grant returns a part of a drop of a rarity.
func (m *mutator) grant(least rarity.Rarity) draw.Grant {
	amount := 1 + m.rng.Int64N(oneOf[int64](m, 1, 5, 1e12))
	switch m.rng.IntN(3) {
	case 0:
		return draw.Grant{Currency: m.id(64), Amount: amount}
	case 1:
		return draw.Grant{
			Collection: oneOf(m, "a", "items"), Token: oneOf(m, "0", "5", strings.Repeat("1", 78)), Amount: amount,
		}
	}
	g := draw.Grant{Collection: oneOf(m, "a", "avatars", "elder-gods"), Amount: 1}
	n := 1 + m.rng.IntN(3)
	if m.in(50) {
		n = 64
	}
	first := 1 + m.rng.IntN(899)
	for i := range n {
		// What a series means follows from its number.
		series := (first+i*6)%899 + 1
		r := rarity.All()[series%6]
		if r.Rank() < least.Rank() || slices.ContainsFunc(g.Variants, func(v draw.Variant) bool { return v.Series == int64(series) }) {
			continue
		}
		v := draw.Variant{ID: fmt.Sprint("v", series), Name: fmt.Sprint("V ", series), Rarity: r, Weight: m.weight(), Series: int64(series)}
		g.Variants, g.Total = append(g.Variants, v), g.Total+v.Weight
	}
	if len(g.Variants) == 0 {
		g.Variants, g.Total = []draw.Variant{{ID: "v5", Name: "V 5", Rarity: "mythic", Weight: 1, Series: 5}}, 1
	}
	return g
}

func (m *mutator) weight() int64 { return 1 + m.rng.Int64N(oneOf[int64](m, 1, 100, 1e6, 1e12)) }

// id returns an id of at most so many characters.
func (m *mutator) id(most int) string {
	length := 1 + m.rng.IntN(oneOf(m, 4, most))
	b := []byte{oneOf(m, []byte("abcz")...)}
	for len(b) < length {
		if b[len(b)-1] != '-' && len(b) < length-1 && m.in(6) {
			b = append(b, '-')
			continue
		}
		b = append(b, oneOf(m, []byte("abcz019")...))
	}
	return string(b)
}

// name returns a name.
func (m *mutator) name() string {
	var runes []rune
	for range 1 + m.rng.IntN(oneOf(m, 3, 20, 200)) {
		from := oneOf(m, [2]rune{' ', '~'}, [2]rune{' ', '~'}, [2]rune{0xa1, 0x24f}, [2]rune{0x2010, 0x2027})
		runes = append(runes, from[0]+m.rng.Int32N(from[1]-from[0]+1))
	}
	for _, i := range []int{0, len(runes) - 1} {
		if runes[i] == ' ' {
			runes[i] = '"'
		}
	}
	return string(runes)
}
