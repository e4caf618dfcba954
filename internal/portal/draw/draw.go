// Package draw decides what random openings contain, in a way that anybody can repeat.
//
// No secret of the portal has a part in it. Each opening names a round of a public randomness beacon that is published
// after the burn of a pack, or after the record of its payment is on a chain. The round's randomness, the place of the burn on its
// chain or of the purchase in the shop's order, and the drop table determine the outcome; see Words. The table belongs to the
// pack: its hash is fixed in public before the first is sold. The web site has an implementation of its own, and both are held
// to the vectors in testdata.
package draw

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// These separate draws of burns, draws of purchases and any other use of a round's randomness.
const (
	burnDomain     = "pantheon/draw/v1"
	purchaseDomain = "pantheon/draw/shop/v2"
)

// Origin is what is opened: a Burn or a Purchase.
type Origin interface {
	// String returns the opening's id.
	String() string
	// message returns the part of the HMAC's message before the table hash; see Words.
	message() []byte
}

// Burn names one burned copy of a token. The log's index counts within its transaction, so a transaction that moves to
// another block keeps it.
type Burn struct {
	Chain    onchain.ChainID
	Tx       eth.Hash
	LogIndex uint64 // within the transaction
	Number   uint64 // within the log, from 0: its ids in order, each as often as its amount says
}

// Purchase identifies one unit of an order line in a shop. Opening IDs of purchases start with a letter and those of burns
// with a digit, so the two never collide.
type Purchase struct {
	Shop  string   // the shop's configured name: as the kinds of tables, at most 32 characters
	Order uint64   // the order's number in the shop
	Line  uint64   // within the order
	Unit  uint64   // within the line
	Nonce [32]byte // chosen by the buyer's browser before the order exists; zero without one
}

// maxShop is the length of the longest name of a shop.
const maxShop = 32

// Validate returns an error if the shop's name is malformed, or if a number is larger than a receipt can have.
func (p Purchase) Validate() error {
	if len(p.Shop) > maxShop || !isID(p.Shop) {
		return errors.New("the shop's name is malformed")
	}
	if max(p.Order, p.Line, p.Unit) > maxCount {
		return fmt.Errorf("a number of the purchase is above %d", uint64(maxCount))
	}
	return nil
}

// Words are the random numbers of one opening: the output of HMAC-SHA256 in 64-bit words, big-endian. The key is the
// round's randomness. The message is for a burn
//
//	"pantheon/draw/v1" ‖ chain id ‖ transaction hash ‖ log index ‖ number ‖ table hash
//
// and for a purchase
//
//	"pantheon/draw/shop/v2" ‖ length of the shop's name ‖ the shop's name ‖ order ‖ line ‖ unit ‖ nonce ‖ table hash
//
// with numbers as 8 bytes, big-endian. If four words are not enough, more come from the HMAC of the message followed by
// a block number of 8 bytes, which is 1 for the fifth word.
type Words struct {
	key, message []byte
	block        uint64
	rest         []byte
}

// NewWords returns the random numbers of an opening.
func NewWords(randomness [32]byte, o Origin, table [32]byte) *Words {
	return &Words{key: randomness[:], message: append(o.message(), table[:]...)}
}

func (b Burn) message() []byte {
	message := []byte(burnDomain)
	message = binary.BigEndian.AppendUint64(message, uint64(b.Chain))
	message = append(message, b.Tx[:]...)
	message = binary.BigEndian.AppendUint64(message, b.LogIndex)
	return binary.BigEndian.AppendUint64(message, b.Number)
}

func (p Purchase) message() []byte {
	message := []byte(purchaseDomain)
	message = binary.BigEndian.AppendUint64(message, uint64(len(p.Shop)))
	message = append(message, p.Shop...)
	message = binary.BigEndian.AppendUint64(message, p.Order)
	message = binary.BigEndian.AppendUint64(message, p.Line)
	message = binary.BigEndian.AppendUint64(message, p.Unit)
	return append(message, p.Nonce[:]...)
}

// next returns the next word.
func (w *Words) next() uint64 {
	if len(w.rest) == 0 {
		mac := hmac.New(sha256.New, w.key)
		mac.Write(w.message)
		if w.block > 0 {
			mac.Write(binary.BigEndian.AppendUint64(nil, w.block))
		}
		w.rest = mac.Sum(nil)
		w.block++
	}
	word := binary.BigEndian.Uint64(w.rest)
	w.rest = w.rest[8:]
	return word
}

// Below returns a number from 0 to n-1, each equally likely. Words at or above the largest multiple of n that fits are
// passed over. n must be at least 1.
func (w *Words) Below(n uint64) uint64 {
	if n == 0 {
		panic("draw: a choice among nothing")
	}
	// 2^64 mod n words at the top are left over.
	over := -n % n
	for {
		if word := w.next(); word < -over || over == 0 {
			return word % n
		}
	}
}

// Schedule says when a beacon publishes its rounds.
type Schedule struct {
	Genesis time.Time     // when round 1 was published, in whole seconds
	Period  time.Duration // between rounds, in whole seconds, at least 1 s
}

// delayPeriods is the least time between the block of a burn or of a record's anchor and its round, in periods of the beacon.
const delayPeriods = 2

// MaxMargin is the largest margin of a chain.
const MaxMargin = 7 * 24 * time.Hour

// RoundAfter returns the round that decides an opening: the first that is published at least delayPeriods and a margin after the
// time of a block: of the burn, or of the anchor of the payment's record. The margin is how far behind the clock the chain's blocks can
// be dated, in whole seconds. When the block is made, nobody knows the round's randomness.
func (s Schedule) RoundAfter(at time.Time, margin time.Duration) uint64 {
	// In seconds: a time.Duration holds 292 years only.
	period := int64(s.Period / time.Second)
	wait := WholeSeconds(at).Unix() + int64(margin/time.Second) + delayPeriods*period - s.Genesis.Unix()
	if wait <= 0 {
		return 1
	}
	return uint64((wait+period-1)/period) + 1
}

// WholeSeconds rounds a time up to seconds, as receipts have it. The times of blocks are whole seconds.
func WholeSeconds(t time.Time) time.Time {
	seconds := t.Unix()
	if t.Nanosecond() > 0 {
		seconds++
	}
	return time.Unix(seconds, 0).UTC()
}

// PublishedAt returns when a round, at least 1, is published: onchain.MaxTime for any later than that.
func (s Schedule) PublishedAt(round uint64) time.Time {
	genesis, period := s.Genesis.Unix(), uint64(s.Period/time.Second)
	if round-1 > uint64(max(onchain.MaxTime().Unix()-genesis, 0))/period {
		return onchain.MaxTime()
	}
	return time.Unix(genesis+int64((round-1)*period), 0).UTC()
}

func (b Burn) String() string {
	return fmt.Sprintf("%d-%s-%d-%d", b.Chain, b.Tx, b.LogIndex, b.Number)
}

func (p Purchase) String() string {
	return fmt.Sprintf("%s-%d-%d-%d", p.Shop, p.Order, p.Line, p.Unit)
}
