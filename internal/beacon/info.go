package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// scheme is drand's name of the one scheme that is supported.
const scheme = "bls-unchained-g1-rfc9380"

// defaultID is the name that a beacon without a name has, and that its chain's hash leaves out.
const defaultID = "default"

// Info describes a beacon's chain of rounds, as drand does.
type Info struct {
	PublicKey []byte        // compressed
	Genesis   time.Time     // when round 1 is published, in whole seconds
	Period    time.Duration // between rounds, in whole seconds, below 2^32 s
	GroupHash []byte        // of the first group of nodes
	ID        string        // the beacon's name; "default" when empty
}

// Hash returns the chain's hash, by which drand's clients and relays identify it. It is that of chain.Info.Hash in
// github.com/drand/drand.
func (i Info) Hash() [32]byte {
	text := binary.BigEndian.AppendUint32(nil, uint32(i.Period/time.Second))
	text = binary.BigEndian.AppendUint64(text, uint64(i.Genesis.Unix()))
	text = append(text, i.PublicKey...)
	text = append(text, i.GroupHash...)
	if i.ID != defaultID {
		text = append(text, i.ID...)
	}
	return sha256.Sum256(text)
}
