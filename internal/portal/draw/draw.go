// Package draw decides what random openings contain, in a way that anybody can repeat.
//
// No secret of the portal has a part in it. Each opening names a round of a public randomness beacon that is published
// after the burn. The round's randomness, the burn's place on its chain and the drop table determine the outcome; see
// Words. The web site has an implementation of its own, and both are held to the vectors in testdata.
package draw

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// domain separates these draws from any other use of a round's randomness.
const domain = "pantheon/draw/v1"

// Burn names one burned copy of a token. The log's index counts within its transaction, so a transaction that moves to
// another block keeps it.
type Burn struct {
	Chain    onchain.ChainID
	Tx       eth.Hash
	LogIndex uint64 // within the transaction
	Number   uint64 // within the log, from 0: its ids in order, each as often as its amount says
}

// Words are the random numbers of one opening: the output of HMAC-SHA256 in 64-bit words, big-endian. The key is the
// round's randomness. The message is
//
//	"pantheon/draw/v1" ‖ chain id ‖ transaction hash ‖ log index ‖ number ‖ table hash
//
// with numbers as 8 bytes, big-endian. Should four words not do, the words go on with the HMAC of the message followed by
// a block number of 8 bytes, which is 1 for the fifth word.
type Words struct {
	key, message []byte
	block        uint64
	rest         []byte
}

// NewWords returns the random numbers of an opening.
func NewWords(randomness [32]byte, b Burn, table [32]byte) *Words {
	message := []byte(domain)
	message = binary.BigEndian.AppendUint64(message, uint64(b.Chain))
	message = append(message, b.Tx[:]...)
	message = binary.BigEndian.AppendUint64(message, b.LogIndex)
	message = binary.BigEndian.AppendUint64(message, b.Number)
	message = append(message, table[:]...)
	return &Words{key: randomness[:], message: message}
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

// Schedule says when a beacon publishes its rounds. Blocks have times in whole seconds too.
type Schedule struct {
	Genesis time.Time     // when round 1 was published, in whole seconds
	Period  time.Duration // between rounds, in whole seconds, at least 1 s
}

// delayPeriods is the least time between a burn and its round, in periods of the beacon.
const delayPeriods = 2

// RoundAfter returns the round that decides an opening whose burn is in a block of the given time: the first that is
// published at least delayPeriods later. When the block's time is known, nobody knows the round's randomness.
func (s Schedule) RoundAfter(block time.Time) uint64 {
	// In seconds: a time.Duration holds 292 years only.
	period := int64(s.Period / time.Second)
	wait := block.Unix() + delayPeriods*period - s.Genesis.Unix()
	if wait <= 0 {
		return 1
	}
	return uint64((wait+period-1)/period) + 1
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
