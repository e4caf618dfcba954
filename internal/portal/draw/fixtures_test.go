package draw_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/draw"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func burnOf(n uint64) draw.Burn {
	b := draw.Burn{Chain: 421614, LogIndex: n % 7, Number: n % 3}
	binary.BigEndian.PutUint64(b.Tx[24:], n)
	return b
}

// purchaseOf is the purchase of a unit, in an order with a large number.
func purchaseOf(n uint64) draw.Purchase {
	p := draw.Purchase{Shop: "gift-shop", Order: 9007199254740991 - n, Line: n % 7, Unit: n % 3}
	binary.BigEndian.PutUint64(p.Nonce[24:], n)
	return p
}

func randomnessOf(n uint64) (r [32]byte) {
	binary.BigEndian.PutUint64(r[24:], n)
	return r
}

func copies(token string, amount int64) draw.Grant {
	return draw.Grant{Collection: "game-items", Token: token, Amount: amount}
}

func fate(amount int64) draw.Grant { return draw.Grant{Currency: "fa", Amount: amount} }

// newToken is one of the variants.
func newToken(collection string, variants ...draw.Variant) draw.Grant {
	g := draw.Grant{Collection: collection, Amount: 1, Variants: variants}
	for _, v := range variants {
		g.Total += v.Weight
	}
	return g
}

// elderGod is a new token of a god.
func elderGod() draw.Grant {
	return newToken("elder-gods",
		draw.Variant{ID: "zeus", Name: "Zeus", Rarity: "mythic", Weight: 1, Series: 21},
		draw.Variant{ID: "hera", Name: "Hera", Rarity: "mythic", Weight: 3, Series: 22})
}

// avatar is a new token of an avatar.
func avatar() draw.Grant {
	return newToken("avatars",
		draw.Variant{ID: "rare", Name: "Rare avatar", Rarity: "rare", Weight: 17, Series: 13},
		draw.Variant{ID: "epic", Name: "Epic avatar", Rarity: "epic", Weight: 9, Series: 14},
		draw.Variant{ID: "last", Name: "The last avatar", Rarity: "mythic", Weight: 1, Series: 899})
}

// gods is a table with a pity rule, and of whose Elder Gods there are three.
func gods() draw.Table {
	return draw.Table{
		Kind: "god", Edition: 2, Token: "3", Total: 1000, Pity: &draw.Pity{After: 9, Rarity: "epic"},
		Caps: []draw.Cap{{Item: "elder-gods", Most: 3}},
		Drops: []draw.Drop{
			{ID: "knife", Name: "Ferryman's Knife", Rarity: "common", Weight: 700, Gives: []draw.Grant{copies("5", 1)}},
			{ID: "fang", Name: "Moth Fang", Rarity: "rare", Weight: 250, Gives: []draw.Grant{copies("6", 1)}},
			{ID: "blade", Name: "Meridian <Blade>", Rarity: "epic", Weight: 45, Gives: []draw.Grant{copies("3", 1)}},
			{ID: "god", Name: "An Elder God", Rarity: "mythic", Weight: 5, Gives: []draw.Grant{elderGod(), fate(50)}, Substitute: "blade"},
		},
	}
}

// hoard is a table with several new tokens in a drop, caps by item over several drops, and the largest token id.
func hoard() draw.Table {
	return draw.Table{
		Kind: "avatar", Edition: 3, Token: "115792089237316195423570985008687907853269984665640564039457584007913129639935", Total: 100,
		Caps: []draw.Cap{{Item: "avatars", Most: 6}, {Item: "game-items/5", Most: 9}},
		Drops: []draw.Drop{
			{ID: "knives", Name: "Two knives", Rarity: "common", Weight: 40, Gives: []draw.Grant{copies("5", 2)}, Substitute: "thread"},
			{
				ID: "more-knives", Name: "Knives & fate", Rarity: "uncommon", Weight: 20,
				Gives: []draw.Grant{copies("5", 2), fate(5), copies("5", 3)}, Substitute: "thread",
			},
			{
				ID: "avatars", Name: "Three avatars", Rarity: "rare", Weight: 30,
				Gives: []draw.Grant{avatar(), avatar(), avatar()}, Substitute: "thread",
			},
			{ID: "thread", Name: "Fate’s thread — ½ “Möira”", Rarity: "common", Weight: 10, Gives: []draw.Grant{fate(1)}},
		},
	}
}

// destiny is a table of a kind that is bought in a shop, with a cap that is reached soon.
func destiny() draw.Table {
	return draw.Table{
		Kind: "destiny-gold", Edition: 1, Total: 1000,
		Caps: []draw.Cap{{Item: "game-items/43", Most: 5}},
		Drops: []draw.Drop{
			{ID: "fate", Name: "25 fate", Rarity: "common", Weight: 400, Gives: []draw.Grant{fate(25)}},
			{ID: "blade", Name: "Meridian <Blade>", Rarity: "epic", Weight: 200, Gives: []draw.Grant{copies("3", 1)}},
			{
				ID: "crowns", Name: "Two Crowns of Destiny", Rarity: "mythic", Weight: 200,
				Gives: []draw.Grant{copies("43", 1), fate(50), copies("43", 1)}, Substitute: "blade",
			},
			{ID: "two-avatars", Name: "Two avatars", Rarity: "rare", Weight: 200, Gives: []draw.Grant{avatar(), fate(50), avatar()}},
		},
	}
}

// without returns the table without rules about what came before.
func without(table draw.Table) draw.Table {
	table.Pity, table.Caps, table.Drops = nil, nil, slices.Clone(table.Drops)
	for i := range table.Drops {
		table.Drops[i].Substitute = ""
	}
	return table
}

// index is the place of a drop in a table.
func index(table draw.Table, id string) int {
	return slices.IndexFunc(table.Drops, func(d draw.Drop) bool { return d.ID == id })
}

// chiSquare compares counts with what was expected of each.
func chiSquare(counts []int, expected func(i int) float64) (x float64) {
	for i, n := range counts {
		d := float64(n) - expected(i)
		x += d * d / expected(i)
	}
	return x
}

// chiSquareLimit is what chi-square exceeds with a probability of 0.001, by the approximation of Wilson and Hilferty.
func chiSquareLimit(degrees float64) float64 {
	return degrees * math.Pow(1-2/(9*degrees)+3.09*math.Sqrt(2/(9*degrees)), 3)
}

// signer is the beacon of the tests. It publishes a round each second, from an hour before begin on.
var signer = beacon.NewSigner([32]byte{9})

const genesis = 1767222000

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// signatures are those that were made before, by round.
var signatures sync.Map

func signatureOf(t testing.TB, round uint64) string {
	t.Helper()
	if known, ok := signatures.Load(round); ok {
		return known.(string)
	}
	signature, err := signer.Sign(round)
	if err != nil {
		t.Fatal(err)
	}
	text := hex.EncodeToString(signature)
	signatures.Store(round, text)
	return text
}

var (
	chests = draw.ReceiptAddress(eth.MustAddress("0xc5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5"))
	player = draw.ReceiptAddress(eth.MustAddress("0xabababababababababababababababababababab"))
	portal = draw.ReceiptAddress(eth.MustAddress("0x9090909090909090909090909090909090909090"))
)

// hashOf is a hash of equal bytes.
func hashOf(b byte) (h eth.Hash) {
	copy(h[:], slices.Repeat([]byte{b}, len(h)))
	return h
}

// receiptOf is drawn for a burn, by a beacon of the tests.
func receiptOf(t testing.TB, b draw.Burn, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	r := draw.Receipt{
		Burn: &draw.ReceiptBurn{
			ChainID: b.Chain, Contract: chests, Token: table.Token, Tx: b.Tx, LogIndex: b.LogIndex, Number: b.Number,
			Wallet: player, Block: 123, BlockHash: hashOf(0xb1), BlockTime: begin.Unix(),
		},
		Fixed: draw.ReceiptFixed{ChainID: b.Chain, By: "contract", Address: chests, Tx: hashOf(0xf1), Block: 100, BlockTime: 1694770000},
	}
	return drawn(t, r, table, before)
}

// purchaseReceiptOf is drawn for a purchase, by a beacon of the tests.
func purchaseReceiptOf(t testing.TB, p draw.Purchase, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	r := draw.Receipt{
		Purchase: &draw.ReceiptPurchase{
			Shop: p.Shop, Order: p.Order, Line: p.Line, Unit: p.Unit, Nonce: p.Nonce, Record: 7, RecordedAt: begin.Unix(),
			Anchor: draw.ReceiptAnchor{
				Record: 9, ChainID: 1, Wallet: portal, Tx: hashOf(0xa1), Block: 123, BlockHash: hashOf(0xb1), BlockTime: begin.Unix(),
			},
		},
		Fixed: draw.ReceiptFixed{ChainID: 1, By: "wallet", Address: portal, Tx: hashOf(0xf1), Block: 100, BlockTime: 1694770000},
	}
	return drawn(t, r, table, before)
}

// drawn completes a receipt by the tests' beacon, unless the receipt has another.
func drawn(t testing.TB, r draw.Receipt, table draw.Table, before draw.Luck) draw.Receipt {
	t.Helper()
	r.Table, r.Before = string(table.Canonical()), draw.ReceiptLuck(table.LuckOf(before))
	if r.Beacon.PublicKey == "" {
		r.Beacon = draw.ReceiptBeacon{
			Scheme: "bls-unchained-g1-rfc9380", PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Genesis: genesis, Period: 1,
		}
	}
	redraw(t, &r, table)
	return r
}

// redraw recomputes the round, its signature and the outcome. With a beacon that is not the tests' own, the round is kept.
func redraw(t testing.TB, r *draw.Receipt, table draw.Table) {
	t.Helper()
	b := &r.Beacon
	if b.Round = roundOf(*r); b.PublicKey == hex.EncodeToString(signer.PublicKey().Bytes()) {
		b.Signature = signatureOf(t, b.Round)
	}
	origin, _ := r.Origin()
	randomness := sha256.Sum256(unhex(t, b.Signature))
	r.Outcome = draw.OutcomeOf(table.Draw(draw.NewWords(randomness, origin, table.Hash()), draw.Luck(r.Before)))
}

// roundOf is max(1, ceil((time + margin + 2·period − genesis) / period) + 1).
func roundOf(r draw.Receipt) uint64 {
	wait := 2*r.Beacon.Period - r.Beacon.Genesis
	if r.Burn != nil {
		wait += r.Burn.BlockTime + r.Burn.Margin
	} else {
		wait += r.Purchase.Anchor.BlockTime + r.Purchase.Anchor.Margin
	}
	return uint64(max(1, math.Ceil(float64(wait)/float64(r.Beacon.Period))+1))
}

// quicknetReceipt is of a burn that a real round of drand's quicknet decides.
func quicknetReceipt(t testing.TB) draw.Receipt {
	t.Helper()
	r := receiptOf(t, burnOf(657413), gods(), draw.Luck{})
	r.Beacon, r.Burn.BlockTime = quicknet(), 1694775597
	return drawn(t, r, gods(), draw.Luck{})
}

// quicknetPurchase is of a purchase that a real round of drand's quicknet decides.
func quicknetPurchase(t testing.TB) draw.Receipt {
	t.Helper()
	r := purchaseReceiptOf(t, purchaseOf(657413), destiny(), draw.Luck{})
	r.Beacon, r.Purchase.RecordedAt, r.Purchase.Anchor.BlockTime = quicknet(), 1694775590, 1694775597
	return drawn(t, r, destiny(), draw.Luck{})
}

func quicknet() draw.ReceiptBeacon {
	return draw.ReceiptBeacon{
		Scheme: "bls-unchained-g1-rfc9380", Genesis: 1692803367, Period: 3, Round: 657413,
		PublicKey: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
			"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
		Signature: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
	}
}
