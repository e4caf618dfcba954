package generator

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// dice is the deterministic random source of a token's choices. It reads directly from
// the PCG, whose output is fixed by its definition, and not from rand.Rand, whose methods
// may change between releases.
type dice struct{ src *rand.PCG }

// newDice seeds a stream for a subject. Different aspects of one token ("name", "face", …)
// use different streams, so that a change to one does not affect another.
func newDice(collection, tokenID, aspect string) *dice {
	sum := sha256.Sum256([]byte(collection + "\x00" + tokenID + "\x00" + aspect))
	return &dice{rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))}
}

// float returns a number in [0, 1).
func (d *dice) float() float64 { return float64(d.src.Uint64()>>11) / (1 << 53) }

// between returns a number in [lo, hi).
func (d *dice) between(lo, hi float64) float64 { return lo + (hi-lo)*d.float() }

// intn returns an integer in [0, n). The bias of the modulo is below 2⁻⁵⁰ for the small n
// used here.
func (d *dice) intn(n int) int { return int(d.src.Uint64() % uint64(n)) }

// chance is true with probability p.
func (d *dice) chance(p float64) bool { return d.float() < p }

// choose returns one of the values.
func choose[T any](d *dice, values ...T) T { return values[d.intn(len(values))] }
